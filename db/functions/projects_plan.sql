-- The plan of a project is an even pace from where it started to the target on the due date. It starts with the project,
-- and again where it stands when the target or the due date changes or work on it is resumed.
CREATE OR REPLACE FUNCTION projects_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.plan_started_at := now();
  NEW.plan_seconds := NEW.current_seconds;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER projects_plan BEFORE UPDATE OF due_date, target_hours, status ON projects FOR EACH ROW
  WHEN ((OLD.due_date, OLD.target_hours) IS DISTINCT FROM (NEW.due_date, NEW.target_hours)
    OR OLD.status <> 'active' AND NEW.status = 'active')
  EXECUTE FUNCTION projects_plan();
