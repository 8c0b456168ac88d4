-- row_version says that a cached row is out of date. In a trigger, so that no statement can forget it.
-- In a trigger, so that no statement can change a project and forget to say so.
CREATE OR REPLACE FUNCTION projects_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.row_version := next_row_version(OLD.row_version);
  NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER projects_touch BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION projects_touch();
