-- Invalidates links for setting a password when the account is secured (new password, new address, deactivated, deleted). Using a
-- link sets a password and therefore invalidates it, too.
CREATE OR REPLACE FUNCTION users_cancel_account_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account_links SET token_hash = NULL WHERE user_id = NEW.id AND token_hash IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_cancel_account_links AFTER UPDATE OF email, password_hash, status ON users FOR EACH ROW
  WHEN ((OLD.email, OLD.password_hash, OLD.status) IS DISTINCT FROM (NEW.email, NEW.password_hash, NEW.status))
  EXECUTE FUNCTION users_cancel_account_links();
