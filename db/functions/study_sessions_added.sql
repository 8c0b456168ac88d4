-- Updates totals and awards achievements for finished sessions in the same transaction. Callers have locked the project, or both if a
-- session moves. One trigger per kind of change, and one update per user and project. The user's row is locked first, so that
-- concurrent writes of a user, and changes of their calendar, see the previous writer's days.
CREATE OR REPLACE FUNCTION study_sessions_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part  record;
  added study_sessions;
BEGIN
  FOR part IN
    SELECT n.user_id, n.project_id, sum(n.duration_seconds) AS seconds, count(*)::integer AS number, max(n.ended_at) AS latest
    FROM new_rows n WHERE n.ended_at IS NOT NULL GROUP BY n.user_id, n.project_id ORDER BY n.user_id, n.project_id
  LOOP
    INSERT INTO user_study_totals AS t (user_id, seconds, last_session_at) VALUES (part.user_id, part.seconds, part.latest)
    ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds + excluded.seconds,
      last_session_at = greatest(t.last_session_at, excluded.last_session_at);
    INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
    VALUES (part.user_id, part.project_id, part.seconds, part.number, part.latest)
    ON CONFLICT (user_id, project_id) DO UPDATE
      SET seconds = t.seconds + excluded.seconds, sessions_count = t.sessions_count + excluded.sessions_count,
        last_session = greatest(t.last_session, excluded.last_session);
    UPDATE projects p
    SET current_seconds = p.current_seconds + part.seconds, sessions_count = p.sessions_count + part.number
    WHERE p.id = part.project_id;
  END LOOP;
  FOR added IN SELECT * FROM new_rows n WHERE n.ended_at IS NOT NULL ORDER BY n.id LOOP
    PERFORM earn_by_session(added);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_added AFTER INSERT ON study_sessions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_added();

-- The former triggers, one for each table and each session.
DROP FUNCTION IF EXISTS project_user_totals_added(), project_user_totals_changed(), project_user_totals_removed(),
  user_study_totals_follow(), study_sessions_earn() CASCADE;
