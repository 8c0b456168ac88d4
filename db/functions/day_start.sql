-- The study day of a moment. Users choose the local hour at which their days begin.
CREATE OR REPLACE FUNCTION study_day(moment timestamptz, zone text, day_start_hour integer) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (moment AT TIME ZONE zone - make_interval(hours => day_start_hour))::date
$$;

-- The start of a day whose first hour the clocks skipped, for which PostgreSQL returns a moment after the end of the gap.
CREATE OR REPLACE FUNCTION day_start_after_gap(day date, zone text, day_start_hour integer) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT min(tick.minute)
  FROM (SELECT day + make_interval(hours => day_start_hour) AS wanted) AS clock
  CROSS JOIN LATERAL (SELECT clock.wanted AT TIME ZONE zone AS moment) AS latest
  CROSS JOIN generate_series(
    latest.moment - (latest.moment AT TIME ZONE zone - clock.wanted), latest.moment, interval '1 minute') AS tick (minute)
  WHERE study_day(tick.minute, zone, day_start_hour) >= day
$$;

DROP FUNCTION IF EXISTS day_start(date, text), day_exists(date, text);

-- The start of a local day. Where clocks go back, the hour occurs twice, and PostgreSQL returns the second occurrence. A day
-- that a zone skipped at the date line starts with the next one. One expression, so that it is inlined.
CREATE OR REPLACE FUNCTION day_start(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN ((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone) AT TIME ZONE zone
      <> day + make_interval(hours => day_start_hour) THEN day_start_after_gap(day, zone, day_start_hour)
    WHEN study_day((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour', zone, day_start_hour)
      = day THEN (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour'
    ELSE (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone END
$$;

-- False for a day that the zone skipped, which does not break a streak.
CREATE OR REPLACE FUNCTION day_exists(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT day_start(day, zone, day_start_hour) < day_start(day + 1, zone, day_start_hour)
$$;

-- Whether one of the session's whole seconds, counted from its start, is between two moments.
CREATE OR REPLACE FUNCTION has_second(started_at timestamptz, ended_at timestamptz, opens timestamptz, closes timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(extract(epoch FROM least(ended_at, closes) - started_at))
    > floor(extract(epoch FROM greatest(started_at, opens) - started_at))
$$;
