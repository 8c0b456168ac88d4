-- One audit log row per statement, because a batch may write a hundred thousand assignments.
CREATE OR REPLACE FUNCTION audit_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  projects bigint[];
  details  jsonb;
BEGIN
  SELECT array_agg(DISTINCT c.project_id),
    jsonb_build_object('pairs', count(*), 'user_ids', jsonb_agg(DISTINCT c.user_id))
  INTO projects, details
  FROM changed c;
  IF projects IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    details := details || '{"reordered": true}';
  END IF;
  PERFORM audit_add('assignment', projects, CASE WHEN TG_OP = 'DELETE' THEN details END,
    CASE WHEN TG_OP <> 'DELETE' THEN details END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER project_assignments_audit_inserted AFTER INSERT ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();
CREATE OR REPLACE TRIGGER project_assignments_audit_updated AFTER UPDATE ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();
CREATE OR REPLACE TRIGGER project_assignments_audit_deleted AFTER DELETE ON project_assignments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();
