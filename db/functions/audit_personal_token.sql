-- Tokens that administrators create, or end by revoking the token's sign-in.
CREATE OR REPLACE FUNCTION audit_personal_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM audit_add('personal_token', ARRAY[p.id],
    jsonb_build_object('user_id', NEW.user_id, 'name', p.name, 'scopes', p.scopes), NULL)
  FROM personal_tokens p WHERE p.sign_in_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sign_ins_audit_personal_token AFTER UPDATE OF revoked_at ON sign_ins FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_personal_token();
CREATE OR REPLACE TRIGGER personal_tokens_audit AFTER INSERT ON personal_tokens FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_row('personal_token', 'name', 'scopes');
