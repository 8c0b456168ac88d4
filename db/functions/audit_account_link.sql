-- A link for setting a password that an administrator created, logged as a field of the account.
CREATE OR REPLACE FUNCTION audit_account_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM audit_add('user', ARRAY[NEW.user_id], NULL, jsonb_build_object('link', NEW.purpose));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER account_links_audit AFTER INSERT ON account_links FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_account_link();
