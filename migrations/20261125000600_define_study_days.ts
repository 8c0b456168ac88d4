import type { Knex } from 'knex';

/** Days of study by the calendar of a user, for statistics and achievements. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- NULL for a time zone that the server does not know: its list may differ from that of Node.js.
    CREATE FUNCTION known_time_zone(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
    BEGIN
      PERFORM now() AT TIME ZONE name;
      RETURN name;
    EXCEPTION WHEN invalid_parameter_value THEN
      RETURN NULL;
    END $$;
  `);

  await knex.raw(`
    -- The study day of a moment. Users choose the local hour at which their days begin.
    CREATE FUNCTION study_day(moment timestamptz, zone text, day_start_hour integer) RETURNS date LANGUAGE sql STABLE AS $$
      SELECT (moment AT TIME ZONE zone - make_interval(hours => day_start_hour))::date
    $$;

    -- The start of a day whose first hour the clocks skipped, for which PostgreSQL returns a moment after the end of the gap.
    CREATE FUNCTION day_start_after_gap(day date, zone text, day_start_hour integer) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
      SELECT min(tick.minute)
      FROM (SELECT day + make_interval(hours => day_start_hour) AS wanted) AS clock
      CROSS JOIN LATERAL (SELECT clock.wanted AT TIME ZONE zone AS moment) AS latest
      CROSS JOIN generate_series(
        latest.moment - (latest.moment AT TIME ZONE zone - clock.wanted), latest.moment, interval '1 minute') AS tick (minute)
      WHERE study_day(tick.minute, zone, day_start_hour) >= day
    $$;

    -- The start of a local day. Where clocks go back, the hour occurs twice, and PostgreSQL returns the second occurrence. A day
    -- that a zone skipped at the date line starts with the next one. One expression, so that it is inlined.
    CREATE FUNCTION day_start(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
      SELECT CASE
        WHEN ((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone) AT TIME ZONE zone
          <> day + make_interval(hours => day_start_hour) THEN day_start_after_gap(day, zone, day_start_hour)
        WHEN study_day((day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour', zone, day_start_hour)
          = day THEN (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone - interval '1 hour'
        ELSE (day + make_interval(hours => day_start_hour)) AT TIME ZONE zone END
    $$;

    -- False for a day that the zone skipped, which does not break a streak.
    CREATE FUNCTION day_exists(day date, zone text, day_start_hour integer DEFAULT 0) RETURNS boolean
    LANGUAGE sql STABLE AS $$
      SELECT day_start(day, zone, day_start_hour) < day_start(day + 1, zone, day_start_hour)
    $$;

    -- Whether one of the session's whole seconds, counted from its start, is between two moments.
    CREATE FUNCTION has_second(started_at timestamptz, ended_at timestamptz, opens timestamptz, closes timestamptz)
    RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT floor(extract(epoch FROM least(ended_at, closes) - started_at))
        > floor(extract(epoch FROM greatest(started_at, opens) - started_at))
    $$;
  `);

  await knex.raw(`
    -- Whether a session touches a day between those of its start and its end.
    CREATE FUNCTION touches_day(
      started_at timestamptz, ended_at timestamptz, day date, zone text, day_start_hour integer)
    RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT study_day(started_at, zone, day_start_hour) = study_day(ended_at, zone, day_start_hour)
        OR has_second(started_at, ended_at, day_start(day, zone, day_start_hour), day_start(day + 1, zone, day_start_hour))
    $$;

    -- The days that a session touches.
    CREATE FUNCTION study_days(started_at timestamptz, ended_at timestamptz, zone text, day_start_hour integer)
    RETURNS SETOF date LANGUAGE sql STABLE AS $$
      SELECT d.first + n
      FROM (SELECT study_day(started_at, zone, day_start_hour), study_day(ended_at, zone, day_start_hour)) AS d (first, last)
      CROSS JOIN generate_series(0, greatest(d.last - d.first, 0)) AS n
      WHERE touches_day(started_at, ended_at, d.first + n, zone, day_start_hour)
    $$;

    -- The user's calendar, for statistics and achievements.
    CREATE FUNCTION study_calendar(of_user bigint)
    RETURNS TABLE (zone text, day_start_hour integer, rest_weekdays integer[]) LANGUAGE sql STABLE AS $$
      SELECT coalesce(known_time_zone(u.timezone), 'UTC'), u.day_start_hour, u.rest_weekdays FROM users u WHERE u.id = of_user
    $$;
  `);

  await knex.raw(`
    -- The pauses of a project that include the start of a day: the day on which it stopped being active, and the day on which it
    -- became active again (NULL: not yet). Days strictly between neither count for a streak nor break it; the first and the last day
    -- count if there was a session, and do not break it otherwise. Used by achievements and statistics.
    CREATE FUNCTION project_pauses(of_project bigint, zone text, day_start_hour integer DEFAULT 0)
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
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION known_time_zone, study_day, day_start_after_gap, day_start, day_exists, has_second,
      touches_day, study_days, study_calendar, project_pauses CASCADE;
  `);
}
