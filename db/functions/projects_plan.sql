-- A project's plan is an even pace to the target on the due date. It starts with the project, and again from the current hours when
-- target or due date change or the project is resumed.
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
