-- A session never changes its user. One that moves to another project gets that project's owner; the former owner no longer sees it.
CREATE OR REPLACE FUNCTION study_sessions_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.user_id <> NEW.user_id THEN
    RAISE EXCEPTION 'a study record stays with its user';
  END IF;
  NEW.owner_id := OLD.owner_id;
  IF OLD.project_id <> NEW.project_id THEN
    NEW.owner_id := (SELECT p.user_id FROM projects p WHERE p.id = NEW.project_id);
    IF OLD.owner_id NOT IN (NEW.owner_id, NEW.user_id) THEN
      INSERT INTO sync_deletions (user_id, item_type, item_id) VALUES (OLD.owner_id, 'session', OLD.id)
      ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  NEW.row_version := next_row_version(OLD.row_version);
  NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_touch BEFORE UPDATE ON study_sessions
  FOR EACH ROW EXECUTE FUNCTION study_sessions_touch();
