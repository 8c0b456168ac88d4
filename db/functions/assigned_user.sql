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
