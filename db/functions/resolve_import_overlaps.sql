-- Rows of an import that overlap a session of the user or an earlier row are skipped (import_overlap), or with `trimming` start where
-- the other one ends. In start order, because a skipped row does not conflict with later ones. Rows that overlap a session already
-- have that problem.
CREATE OR REPLACE FUNCTION resolve_import_overlaps(of_import bigint, of_user bigint, trimming boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  r          record;
  s          record;
  busy_until timestamptz := '-infinity';
  busy_row   integer;
  begins     timestamptz;
  by_row     integer;
  by_session bigint;
BEGIN
  FOR r IN
    SELECT i.row, i.started_at, i.ended_at, i.problem FROM session_import_rows i
    WHERE i.import_id = of_import AND (i.problem IS NULL OR i.problem = 'import_overlap') ORDER BY i.started_at, i.row
  LOOP
    begins := greatest(r.started_at, busy_until);
    by_row := CASE WHEN r.started_at < busy_until THEN busy_row END;
    by_session := NULL;
    IF r.problem IS NOT NULL THEN
      FOR s IN
        SELECT o.id, o.started_at, o.ended_at FROM study_sessions o
        WHERE o.user_id = of_user AND o.started_at < r.ended_at AND o.started_at > r.started_at - interval '25 hours'
          AND (o.ended_at IS NULL OR o.ended_at > r.started_at)
        ORDER BY o.started_at
      LOOP
        CONTINUE WHEN s.ended_at <= begins;
        by_session := s.id;
        -- Existing sessions are not changed: a row during which one starts is skipped.
        begins := CASE WHEN s.started_at > begins THEN 'infinity' ELSE coalesce(s.ended_at, 'infinity') END;
      END LOOP;
    END IF;
    IF by_row IS NOT NULL OR by_session IS NOT NULL THEN
      UPDATE session_import_rows i SET other_row = by_row, other_session_id = by_session,
        trimmed = trimming AND begins <= r.ended_at - interval '1 second',
        started_at = CASE WHEN trimming AND begins <= r.ended_at - interval '1 second' THEN begins ELSE i.started_at END,
        problem = CASE WHEN trimming AND begins <= r.ended_at - interval '1 second' THEN NULL ELSE 'import_overlap' END
      WHERE i.import_id = of_import AND i.row = r.row;
      CONTINUE WHEN NOT trimming OR begins > r.ended_at - interval '1 second';
    END IF;
    busy_until := r.ended_at;
    busy_row := r.row;
  END LOOP;
END $$;
