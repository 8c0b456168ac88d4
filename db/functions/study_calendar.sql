-- Whether a session touches a day between those of its start and its end.
CREATE OR REPLACE FUNCTION touches_day(
  started_at timestamptz, ended_at timestamptz, day date, zone text, day_start_hour integer)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT study_day(started_at, zone, day_start_hour) = study_day(ended_at, zone, day_start_hour)
    OR has_second(started_at, ended_at, day_start(day, zone, day_start_hour), day_start(day + 1, zone, day_start_hour))
$$;

-- The days that a session touches.
CREATE OR REPLACE FUNCTION study_days(started_at timestamptz, ended_at timestamptz, zone text, day_start_hour integer)
RETURNS SETOF date LANGUAGE sql STABLE AS $$
  SELECT d.first + n
  FROM (SELECT study_day(started_at, zone, day_start_hour), study_day(ended_at, zone, day_start_hour)) AS d (first, last)
  CROSS JOIN generate_series(0, greatest(d.last - d.first, 0)) AS n
  WHERE touches_day(started_at, ended_at, d.first + n, zone, day_start_hour)
$$;

-- The user's calendar, for statistics and achievements.
CREATE OR REPLACE FUNCTION study_calendar(of_user bigint)
RETURNS TABLE (zone text, day_start_hour integer, rest_weekdays integer[]) LANGUAGE sql STABLE AS $$
  SELECT coalesce(known_time_zone(u.timezone), 'UTC'), u.day_start_hour, u.rest_weekdays FROM users u WHERE u.id = of_user
$$;
