DROP FUNCTION IF EXISTS project_pauses(bigint, text);

-- The pauses of a project that include the start of a day: the day on which it stopped being active, and the day on which it
-- became active again (NULL: not yet). Days strictly between neither count for a streak nor break it; the first and the last day
-- count if there was a session, and do not break it otherwise. Used by achievements and statistics.
CREATE OR REPLACE FUNCTION project_pauses(of_project bigint, zone text, day_start_hour integer DEFAULT 0)
RETURNS TABLE (first_day date, last_day date) LANGUAGE sql STABLE AS $$
  SELECT pause.first_day, pause.last_day
  FROM (
    SELECT c.from_status, study_day(c.changed_at, zone, day_start_hour) AS first_day,
      study_day(lead(c.changed_at) OVER (ORDER BY c.changed_at, c.id), zone, day_start_hour) AS last_day
    FROM project_status_changes c
    WHERE c.project_id = of_project AND 'active' IN (c.from_status, c.to_status)
  ) AS pause
  WHERE pause.from_status = 'active' AND pause.first_day IS DISTINCT FROM pause.last_day
$$;
