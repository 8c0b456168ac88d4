-- Without a second factor, there are neither recovery codes nor a pending setup.
CREATE OR REPLACE FUNCTION users_totp_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM recovery_codes WHERE user_id = NEW.id;
  DELETE FROM totp_setups WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_totp_removed AFTER UPDATE OF totp_secret ON users FOR EACH ROW
  WHEN (NEW.totp_secret IS NULL) EXECUTE FUNCTION users_totp_removed();
