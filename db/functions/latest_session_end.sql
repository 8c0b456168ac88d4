-- The end of a user's latest finished session. A user's sessions do not overlap, so the one that started last also ended last.
-- A volatile plpgsql function has a new snapshot: it sees what was deleted while the calling statement waited for a lock.
CREATE OR REPLACE FUNCTION latest_session_end(of_user bigint) RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT s.ended_at FROM study_sessions s WHERE s.user_id = of_user AND s.ended_at IS NOT NULL
          ORDER BY s.started_at DESC LIMIT 1);
END $$;

-- The same for one project.
CREATE OR REPLACE FUNCTION last_session_of(of_user bigint, of_project bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT s.ended_at FROM study_sessions s
  WHERE s.user_id = of_user AND s.project_id = of_project AND s.ended_at IS NOT NULL
  ORDER BY s.started_at DESC, s.id DESC LIMIT 1
$$;
