-- Deletes the archives of a deleted account: without the key in the row their files are unreadable; a job deletes them.
CREATE OR REPLACE FUNCTION users_delete_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM personal_exports WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_delete_exports AFTER UPDATE OF deleted_at ON users FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION users_delete_exports();
