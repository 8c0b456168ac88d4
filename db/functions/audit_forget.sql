-- Deletes personal data from the audit log. The trigger names sort after those of audit_row, which log the deletion.
CREATE OR REPLACE FUNCTION audit_forget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_log a
  SET before = a.before - '{username,email,display_name,admin_note}'::text[],
    after = a.after - '{username,email,display_name,admin_note}'::text[]
  WHERE a.target_type = TG_ARGV[0] AND a.target_ids @> ARRAY[OLD.id];
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_audit_forget AFTER UPDATE OF deleted_at ON users FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION audit_forget('user');
CREATE OR REPLACE TRIGGER contact_requests_audit_forget AFTER DELETE ON contact_requests FOR EACH ROW
  EXECUTE FUNCTION audit_forget('contact_request');
