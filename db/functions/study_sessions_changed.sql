-- Sessions that end, change their times or move to another project; see study_sessions_added.sql. Totals that achievements depend
-- on are changed by the difference in one update.
CREATE OR REPLACE FUNCTION study_sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved study_sessions;
  users bigint[];
BEGIN
  users := ARRAY(
    SELECT DISTINCT n.user_id FROM new_rows n JOIN old_rows o ON o.id = n.id
    WHERE (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
      AND coalesce(n.ended_at, o.ended_at) IS NOT NULL
    ORDER BY n.user_id);
  IF users = '{}' THEN
    RETURN NULL;
  END IF;

  INSERT INTO user_study_totals AS t (user_id, seconds) SELECT u.id, 0 FROM unnest(users) AS u (id)
  ON CONFLICT (user_id) DO NOTHING;
  PERFORM FROM user_study_totals t WHERE t.user_id = ANY (users) ORDER BY t.user_id FOR NO KEY UPDATE;
  -- latest_session_end runs in a statement that started after the row was locked, so that it sees concurrent deletions.
  UPDATE user_study_totals t
  SET seconds = t.seconds + d.seconds, last_session_at =
    CASE WHEN d.was_finished THEN latest_session_end(t.user_id) ELSE greatest(t.last_session_at, d.latest) END
  FROM (SELECT n.user_id, sum(n.duration_seconds - o.duration_seconds) AS seconds, max(n.ended_at) AS latest,
          bool_or(o.ended_at IS NOT NULL) AS was_finished
        FROM new_rows n JOIN old_rows o ON o.id = n.id
        WHERE coalesce(n.ended_at, o.ended_at) IS NOT NULL
          AND (o.ended_at IS DISTINCT FROM n.ended_at OR o.started_at <> n.started_at)
        GROUP BY n.user_id) AS d
  WHERE t.user_id = d.user_id;

  UPDATE projects p
  SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
  FROM (SELECT c.project_id, sum(c.seconds) AS seconds, sum(c.number) AS number
        FROM old_rows o JOIN new_rows n ON n.id = o.id CROSS JOIN LATERAL (VALUES
          (o.project_id, o.ended_at, -o.duration_seconds, -1),
          (n.project_id, n.ended_at, n.duration_seconds, 1)) AS c (project_id, ended_at, seconds, number)
        WHERE (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
          AND c.ended_at IS NOT NULL
        GROUP BY c.project_id) AS d
  WHERE p.id = d.project_id;

  -- A timer that ends only adds; other changes are rare and may search for the last session.
  INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
  SELECT n.user_id, n.project_id, sum(n.duration_seconds), count(*), max(n.ended_at)
  FROM new_rows n JOIN old_rows o ON o.id = n.id
  WHERE n.ended_at IS NOT NULL AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
  GROUP BY n.user_id, n.project_id
  ON CONFLICT (user_id, project_id) DO UPDATE
    SET seconds = t.seconds + excluded.seconds, sessions_count = t.sessions_count + excluded.sessions_count,
      last_session = greatest(t.last_session, excluded.last_session);
  UPDATE project_user_totals t
  SET seconds = t.seconds - d.seconds, sessions_count = t.sessions_count - d.number,
    last_session = last_session_of(t.user_id, t.project_id)
  FROM (SELECT o.user_id, o.project_id, sum(o.duration_seconds) AS seconds, count(*) AS number
        FROM old_rows o JOIN new_rows n ON n.id = o.id
        WHERE o.ended_at IS NOT NULL AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
        GROUP BY o.user_id, o.project_id) AS d
  WHERE t.user_id = d.user_id AND t.project_id = d.project_id;

  FOR moved IN
    SELECT n.* FROM new_rows n JOIN old_rows o ON o.id = n.id
    WHERE n.ended_at IS NOT NULL AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
    ORDER BY n.id
  LOOP
    PERFORM earn_by_session(moved);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_changed AFTER UPDATE ON study_sessions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_changed();
