-- Deleted sessions; see study_sessions_added.sql. Achievements are retained.
CREATE OR REPLACE FUNCTION study_sessions_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM user_study_totals t WHERE t.user_id IN (SELECT o.user_id FROM old_rows o)
  ORDER BY t.user_id FOR NO KEY UPDATE;
  UPDATE user_study_totals t SET seconds = t.seconds - d.seconds, last_session_at = latest_session_end(t.user_id)
  FROM (SELECT o.user_id, sum(o.duration_seconds) AS seconds FROM old_rows o GROUP BY o.user_id) AS d
  WHERE t.user_id = d.user_id AND d.seconds <> 0;

  UPDATE projects p
  SET current_seconds = p.current_seconds - d.seconds, sessions_count = p.sessions_count - d.number
  FROM (SELECT o.project_id, sum(o.duration_seconds) AS seconds, count(*) AS number
        FROM old_rows o WHERE o.ended_at IS NOT NULL GROUP BY o.project_id) AS d
  WHERE p.id = d.project_id;

  UPDATE project_user_totals t
  SET seconds = t.seconds - d.seconds, sessions_count = t.sessions_count - d.number,
    last_session = CASE WHEN t.last_session > d.last_session THEN t.last_session
      ELSE last_session_of(t.user_id, t.project_id) END
  FROM (SELECT o.user_id, o.project_id, sum(o.duration_seconds) AS seconds, count(*) AS number,
          max(o.ended_at) AS last_session
        FROM old_rows o WHERE o.ended_at IS NOT NULL GROUP BY o.user_id, o.project_id) AS d
  WHERE t.user_id = d.user_id AND t.project_id = d.project_id;

  INSERT INTO sync_deletions (user_id, item_type, item_id)
  SELECT v.id, 'session', o.id FROM old_rows o CROSS JOIN LATERAL (VALUES (o.user_id), (o.owner_id)) AS v (id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_removed AFTER DELETE ON study_sessions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_removed();
