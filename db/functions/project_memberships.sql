-- Users who are unassigned keep their sessions. Their timers end, and time and project name are stored, because they must not see
-- later names. Callers have locked the project. One statement ends all timers, so that users' totals are locked before the
-- project is written.
CREATE OR REPLACE FUNCTION project_memberships_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment   timestamptz := clock_timestamp();
  -- A separate query: a join with many assignments of few users would scan all users.
  ordinary bigint[] := ARRAY(
    SELECT u.id FROM users u WHERE u.id = ANY (ARRAY(SELECT DISTINCT c.user_id FROM changed c)) AND u.role <> 'admin');
BEGIN
  INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
  SELECT c.user_id, c.project_id, moment, p.name
  FROM changed c JOIN projects p ON p.id = c.project_id
  WHERE c.user_id <> c.owner_id AND c.user_id = ANY (ordinary)
  ON CONFLICT (user_id, project_id) DO UPDATE
    SET ended_at = excluded.ended_at, project_name = excluded.project_name;
  INSERT INTO sync_deletions (user_id, item_type, item_id)
  SELECT c.user_id, 'project', c.project_id FROM changed c WHERE c.user_id <> c.owner_id
  ON CONFLICT DO NOTHING;
  -- Sessions last between a second and a day.
  UPDATE study_sessions s
  SET ended_at = least(greatest(moment, s.started_at + interval '1 second'), s.started_at + interval '24 hours')
  FROM changed c
  JOIN project_membership_ends e ON e.user_id = c.user_id AND e.project_id = c.project_id
  WHERE s.user_id = c.user_id AND s.project_id = c.project_id AND s.ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER project_memberships_ended AFTER DELETE ON project_assignments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_memberships_ended();

CREATE OR REPLACE FUNCTION project_memberships_begun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM project_membership_ends e USING changed c WHERE e.user_id = c.user_id AND e.project_id = c.project_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER project_memberships_begun AFTER INSERT ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_memberships_begun();
