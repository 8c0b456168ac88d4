-- The day of study that a moment belongs to: it begins at an hour of the local clock, which is not always midnight.
CREATE OR REPLACE FUNCTION study_day(moment timestamptz, zone text, day_start_hour integer) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (moment AT TIME ZONE zone - make_interval(hours => day_start_hour))::date
$$;

-- When a day begins whose first hour the clocks skipped: PostgreSQL returns a moment up to the length of the gap later.
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

-- When a local day begins. Where clocks go back over that hour, it comes twice, and PostgreSQL returns the second. A day
-- that a zone skipped by crossing the date line begins when the next one does. One expression, so that it is inlined.
CREATE OR REPLACE FUNCTION day_start(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN ((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone) AT TIME ZONE zone
      <> day + make_interval(hours => day_start_hour) THEN day_start_after_gap(day, zone, day_start_hour)
    WHEN study_day((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour', zone, day_start_hour)
      = day THEN (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour'
    ELSE (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone END
$$;

-- False for a day that the zone skipped. Such a day breaks no streak, in achievements and statistics alike.
CREATE OR REPLACE FUNCTION day_exists(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT day_start(day, zone, day_start_hour) < day_start(day + 1, zone, day_start_hour)
$$;

-- Whether a session has one of its whole seconds, which are counted from its start, between two moments.
CREATE OR REPLACE FUNCTION has_second(started_at timestamptz, ended_at timestamptz, opens timestamptz, closes timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(extract(epoch FROM least(ended_at, closes) - started_at))
    > floor(extract(epoch FROM greatest(started_at, opens) - started_at))
$$;
