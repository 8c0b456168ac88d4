/**
 * The parts that the statements of statistics are made of. `$1` is the project or user, `$2` the time zone, `$3` now
 * and `$4` the number of weeks.
 */

/** The Monday from which weeks are numbered here. ISO weeks are whole weeks, so only their labels need the ISO year. */
const firstMonday = "date '1999-12-27'";

/** Hours with two decimals, as a JSON number without idle zeros. */
export const hours = (seconds: string) => `trim_scale(round((${seconds})::numeric / 3600, 2))`;

export const isoWeek = (number: string) => `to_char(${firstMonday} + 7 * ${number}, 'IYYY-"W"IW')`;

/**
 * The finished records `s` that fulfil the condition, by the local days they touch.
 *
 * `started` has a row for each project and local day on which records began. A record of at most a day crosses at most
 * one midnight as long as clocks run on evenly; what lies before it is `kept`. A record counts whole seconds from its
 * start. Converting each start only, and never splitting what crosses nothing, keeps this cheap.
 *
 * Where the offset at the first start of a group and at its last end differ, the clocks were changed in between
 * (`regular` is false), and its records are walked by the minute: transitions and midnights lie on whole minutes.
 *
 * `studied` has a row for each local day and its seconds. Sums are float8: exact far beyond any number of seconds, and
 * several times faster than numeric, which is what PostgreSQL sums bigint in.
 */
export function studyDays(condition: string): string {
  return `
  started AS MATERIALIZED (
    SELECT r.project_id, r.day, count(*)::integer AS number, sum(r.seconds)::float8 AS seconds, sum(r.kept)::float8 AS kept,
      max(r.seconds) AS longest, min(r.seconds) AS shortest,
      min(r.started_at) AS first_start, max(r.ended_at) AS last_end,
      (max(r.ended_at) AT TIME ZONE $2) - (min(r.started_at) AT TIME ZONE $2)
        = max(r.ended_at) - min(r.started_at) AS regular
    FROM (
      SELECT l.project_id, l.started_at, l.ended_at, l.seconds, l.local_start::date AS day,
        CASE WHEN l.local_start + (l.ended_at - l.started_at) <= l.local_start::date + 1 THEN l.seconds
          ELSE floor(extract(epoch FROM l.local_start::date + 1 - l.local_start))::integer END AS kept
      FROM (
        SELECT s.project_id, s.started_at, s.ended_at, s.duration_seconds AS seconds,
          s.started_at AT TIME ZONE $2 AS local_start
        FROM study_sessions s WHERE ${condition} AND s.ended_at IS NOT NULL
        OFFSET 0 -- else the conversion is copied to each of its uses
      ) AS l
    ) AS r
    GROUP BY r.project_id, r.day),
  studied AS MATERIALIZED (
    SELECT piece.day, sum(piece.seconds) AS seconds
    FROM (
      SELECT d.day, d.kept AS seconds FROM started d WHERE d.regular
      UNION ALL
      SELECT d.day + 1, d.seconds - d.kept FROM started d WHERE d.regular
      UNION ALL
      SELECT (greatest(tick.minute, s.started_at) AT TIME ZONE $2)::date,
        floor(extract(epoch FROM least(tick.minute + interval '1 minute', s.ended_at) - s.started_at))
        - floor(extract(epoch FROM greatest(tick.minute, s.started_at) - s.started_at))
      FROM started d
      JOIN study_sessions s ON s.project_id = d.project_id AND (s.started_at AT TIME ZONE $2)::date = d.day
        AND s.started_at >= d.first_start AND s.ended_at > d.first_start AND s.ended_at <= d.last_end
      CROSS JOIN generate_series(date_trunc('minute', s.started_at), s.ended_at, interval '1 minute') AS tick (minute)
      WHERE NOT d.regular AND ${condition}
    ) AS piece
    WHERE piece.seconds > 0
    GROUP BY piece.day),
  totals AS MATERIALIZED (
    SELECT coalesce(sum(d.number), 0) AS number, coalesce(sum(d.seconds), 0) AS seconds,
      coalesce(max(d.longest), 0) AS longest, coalesce(min(d.shortest), 0) AS shortest
    FROM started d),
  today AS MATERIALIZED (
    SELECT local.day, (local.day - ${firstMonday}) / 7 AS week
    FROM (SELECT ($3::timestamptz AT TIME ZONE $2)::date AS day) AS local),
  weeks AS MATERIALIZED (
    SELECT (s.day - ${firstMonday}) / 7 AS number, sum(s.seconds) AS seconds FROM studied s GROUP BY 1)`;
}

/**
 * `runs`: unbroken rows of days, with the number of days in them that count. `pauses` names a relation with
 * `first_day` and `last_day` (null: not over): days strictly inside do not count, and none from the first to the last
 * breaks a run. Nor does a day that the zone left out; since 2000 there was one, where Samoa and Tokelau changed sides
 * of the date line.
 */
export function studyRuns(pauses: string): string {
  return `
  runs AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE link.counts) AS length, max(link.day) AS last_day
    FROM (
      SELECT d.day, d.counts, d.day - (dense_rank() OVER (ORDER BY d.day))::integer AS chain
      FROM (
        SELECT s.day, NOT EXISTS (
          SELECT FROM ${pauses} p WHERE s.day > p.first_day AND (s.day < p.last_day OR p.last_day IS NULL)) AS counts
        FROM studied s
        UNION ALL
        SELECT generate_series(p.first_day, p.last_day, interval '1 day')::date, false FROM ${pauses} p
        UNION ALL
        SELECT skipped.day, false FROM (VALUES (date '2011-12-30')) AS skipped (day)
        WHERE ((skipped.day + time '12:00') AT TIME ZONE $2 AT TIME ZONE $2)::date <> skipped.day
      ) AS d
    ) AS link
    GROUP BY link.chain)`;
}

/** The run that ends on a day or on the one before it. */
export function runAt(day: string): string {
  return `coalesce((SELECT r.length FROM runs r WHERE r.last_day >= ${day} - 1 ORDER BY r.last_day LIMIT 1), 0)`;
}

/** The fields that the statistics of a project and of a person share; for json_build_object. */
export function statisticsFields(currentStreak: string, completionRate: string): string {
  return `
    'total_sessions', t.number,
    'total_hours', ${hours('t.seconds')},
    'average_session_length', ${hours('CASE WHEN t.number > 0 THEN t.seconds / t.number::float8 ELSE 0 END')},
    'longest_session', ${hours('t.longest')},
    'shortest_session', ${hours('t.shortest')},
    'study_days', (SELECT count(*) FROM studied),
    'current_streak', ${currentStreak},
    'longest_streak', coalesce((SELECT max(r.length) FROM runs r), 0),
    'completion_rate', ${completionRate},
    'weekly_progress', coalesce((
      SELECT json_agg(json_build_object('week', ${isoWeek('n.week')}, 'hours', ${hours('coalesce(w.seconds, 0)')})
        ORDER BY n.week)
      FROM generate_series(
        greatest((SELECT min(w.number) FROM weeks w), today.week - $4::integer + 1), today.week) AS n (week)
      LEFT JOIN weeks w ON w.number = n.week
      WHERE t.number > 0), '[]')`;
}
