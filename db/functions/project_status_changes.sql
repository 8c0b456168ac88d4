-- The history of a project's status, for sessions recorded later and for pauses of streaks.
CREATE OR REPLACE FUNCTION projects_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_status_changes (project_id, from_status, to_status) VALUES (NEW.id, OLD.status, NEW.status);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_status_changed AFTER UPDATE OF status ON projects FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION projects_status_changed();

-- A volatile plpgsql function has a new snapshot: it sees what was committed while the calling statement waited for the project's
-- lock.
CREATE OR REPLACE FUNCTION project_was_active(of_project bigint, moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce(
    (SELECT c.from_status FROM project_status_changes c
     WHERE c.project_id = of_project AND c.changed_at > moment ORDER BY c.changed_at, c.id LIMIT 1),
    (SELECT p.status FROM projects p WHERE p.id = of_project)) = 'active';
END $$;
