-- row_version is for cached rows, changed_in for synchronized ones. A trigger covers every statement.
CREATE OR REPLACE FUNCTION projects_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.row_version := next_row_version(OLD.row_version);
  NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER projects_touch BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION projects_touch();
