-- Most writers have read the project and pass the owner.
CREATE OR REPLACE FUNCTION study_sessions_find_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.owner_id := (SELECT p.user_id FROM projects p WHERE p.id = NEW.project_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_find_owner BEFORE INSERT ON study_sessions FOR EACH ROW
  WHEN (NEW.owner_id IS NULL) EXECUTE FUNCTION study_sessions_find_owner();
