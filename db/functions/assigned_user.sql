-- projects.assigned_user_id is the first assigned user. The update also gives the project a new row version, once per transaction.
CREATE OR REPLACE FUNCTION project_assignments_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE projects p SET assigned_user_id = first.user_id
  FROM (SELECT DISTINCT c.project_id FROM changed c) AS touched
  LEFT JOIN LATERAL (
    SELECT a.user_id FROM project_assignments a WHERE a.project_id = touched.project_id ORDER BY a.position, a.id LIMIT 1
  ) AS first ON true
  WHERE p.id = touched.project_id
    AND (p.assigned_user_id IS DISTINCT FROM first.user_id OR p.xmin <> pg_current_xact_id()::xid);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER project_assignments_inserted AFTER INSERT ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
CREATE OR REPLACE TRIGGER project_assignments_updated AFTER UPDATE ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
CREATE OR REPLACE TRIGGER project_assignments_deleted AFTER DELETE ON project_assignments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();

-- For legacy clients: writing the field replaces the assignments. The trigger depth excludes the update above.
CREATE OR REPLACE FUNCTION projects_assigned_user_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM project_assignments WHERE project_id = NEW.id AND user_id IS DISTINCT FROM NEW.assigned_user_id;
  INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
  SELECT NEW.id, NEW.assigned_user_id, 1, NEW.user_id, NEW.created_at WHERE NEW.assigned_user_id IS NOT NULL
  ON CONFLICT (project_id, user_id) DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_assigned_user_inserted AFTER INSERT ON projects FOR EACH ROW
  WHEN (NEW.assigned_user_id IS NOT NULL AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION projects_assigned_user_written();
CREATE OR REPLACE TRIGGER projects_assigned_user_updated AFTER UPDATE OF assigned_user_id ON projects FOR EACH ROW
  WHEN (NEW.assigned_user_id IS DISTINCT FROM OLD.assigned_user_id AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION projects_assigned_user_written();
