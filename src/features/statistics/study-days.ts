import { type Interpolation, type Sql, sql } from '../../db/sql.ts';
import { t } from '../../db/types.ts';

/**
 * Where and when days are counted: a time zone that the database knows, the current time, how many weeks to show, and
 * whose preferences hold.
 */
export type Calendar = { zone: string; now: Date; weeks: number; user_id: number };

/** How many days `daily` shows, up to the present one. */
export const daysShown = 371;

/** A calendar in a statement: as its parameters, or where it is about many users, as columns. */
export type CalendarParameters = { readonly [Name in keyof Calendar]: Interpolation };

export function calendarParameters({ zone, now, weeks, user_id }: Calendar) {
  return { zone: t.text(zone), now: t.timestamptz(now), weeks: t.integer(weeks), user_id: t.bigint(user_id) };
}

/** SQL: the local clock at a moment, set back so that it shows 0:00 when a day of study begins. */
const studyClock = (moment: Interpolation, { zone }: CalendarParameters, dayStart: Sql): Sql =>
  sql`(${moment} AT TIME ZONE ${zone} - ${dayStart})`;

/** SQL: the day of study that a moment belongs to, for the user of the calendar. */
export const dayOf = (moment: Interpolation, calendar: CalendarParameters): Sql => {
  const hour = sql`(SELECT u.day_start_hour FROM users u WHERE u.id = ${calendar.user_id})`;
  return sql`${studyClock(moment, calendar, sql`make_interval(hours => coalesce(${hour}, 0))`)}::date`;
};

/** SQL: which day of the week a day is, from 1. */
export const dayOfWeek = (day: Sql): Sql => sql`extract(isodow FROM ${day})::integer`;

/** The Monday from which weeks are numbered here. ISO weeks are whole weeks, so only their labels need the ISO year. */
const firstMonday = sql`date '1999-12-27'`;

/**
 * SQL: CTEs of the finished sessions `s` that fulfil the condition, by the local days they touch. `calendar` has the
 * preferences of the user of the calendar.
 *
 * `started` has a row for each project and local day on which sessions began. A session of at most a day crosses at most
 * one such moment as long as clocks run on evenly; `before_midnight` are its seconds before that. A session counts whole
 * seconds from its start. Converting each start only, and never splitting what crosses nothing, is what makes this cheap.
 *
 * Where the offset at the first start of a group and at its last end differ, the clocks were changed in between
 * (`regular` is false), and its sessions are walked by the minute: transitions and midnights lie on whole minutes.
 *
 * `studied` has a row for each local day and its seconds. Sums are float8: exact far beyond any number of seconds, and
 * several times faster than numeric, which is what PostgreSQL sums bigint in.
 */
export function studyDays(condition: Sql, parameters: CalendarParameters): Sql {
  const clock = (moment: Interpolation) => studyClock(moment, parameters, sql`(SELECT c.day_start FROM calendar c)`);
  return sql`
  calendar AS MATERIALIZED (
    SELECT coalesce(u.day_start_hour, 0) AS day_start_hour,
      make_interval(hours => coalesce(u.day_start_hour, 0)) AS day_start,
      coalesce(u.week_start, 1) AS week_start, coalesce(u.rest_weekdays, '{}') AS rest_weekdays
    FROM (VALUES (0)) AS always LEFT JOIN users u ON u.id = ${parameters.user_id}),
  started AS MATERIALIZED (
    SELECT r.project_id, r.day, count(*)::integer AS number, sum(r.seconds)::float8 AS seconds,
      sum(r.before_midnight)::float8 AS before_midnight, max(r.seconds) AS longest, min(r.seconds) AS shortest,
      min(r.started_at) AS first_start, max(r.ended_at) AS last_end,
      ${clock(sql`max(r.ended_at)`)} - ${clock(sql`min(r.started_at)`)}
        = max(r.ended_at) - min(r.started_at) AS regular
    FROM (
      SELECT l.project_id, l.started_at, l.ended_at, l.seconds, l.local_start::date AS day,
        CASE WHEN l.local_start + (l.ended_at - l.started_at) <= l.local_start::date + 1 THEN l.seconds
          ELSE floor(extract(epoch FROM l.local_start::date + 1 - l.local_start))::integer END AS before_midnight
      FROM (
        SELECT s.project_id, s.started_at, s.ended_at, s.duration_seconds AS seconds,
          ${clock(sql`s.started_at`)} AS local_start
        FROM study_sessions s WHERE ${condition} AND s.ended_at IS NOT NULL
        OFFSET 0 -- else the conversion is copied to each of its uses
      ) AS l
    ) AS r
    GROUP BY r.project_id, r.day),
  studied AS MATERIALIZED (
    SELECT piece.day, sum(piece.seconds) AS seconds
    FROM (
      SELECT d.day, d.before_midnight AS seconds FROM started d WHERE d.regular
      UNION ALL
      SELECT d.day + 1, d.seconds - d.before_midnight FROM started d WHERE d.regular
      UNION ALL
      SELECT ${clock(sql`greatest(tick.minute, s.started_at)`)}::date,
        floor(extract(epoch FROM least(tick.minute + interval '1 minute', s.ended_at) - s.started_at))
        - floor(extract(epoch FROM greatest(tick.minute, s.started_at) - s.started_at))
      FROM started d
      JOIN study_sessions s ON s.project_id = d.project_id AND ${clock(sql`s.started_at`)}::date = d.day
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
    SELECT local.clock::date AS day, (local.clock::date - ${firstMonday}) / 7 AS week,
      CASE WHEN ${clock(sql`(${parameters.now} + interval '24 hours')`)} = local.clock + interval '24 hours'
        THEN ${parameters.now} + (local.clock::date + 1 - local.clock) ELSE ${parameters.now} END AS ends_at
    FROM (SELECT ${clock(parameters.now)} AS clock) AS local),
  weeks AS MATERIALIZED (
    SELECT (s.day - ${firstMonday}) / 7 AS number, sum(s.seconds) AS seconds FROM studied s GROUP BY 1)`;
}

/** SQL: a number for the week of a day, in weeks that begin on the weekday of the `calendar` `c`. */
export const ownWeek = (day: Sql): Sql => sql`((${day} - ${firstMonday} + 8 - c.week_start) / 7)`;

/**
 * SQL: the CTE `runs` of unbroken rows of days, with the number of days in them that count. `pauses` names a relation
 * with `first_day` and `last_day` (null: not over): days strictly inside do not count, and none from the first to the
 * last breaks a run. Nor does a day of rest, or one that the zone left out; since 2000 there was one of these, where Samoa
 * and Tokelau changed sides of the date line.
 */
export function studyRuns(pauses: Sql, { zone }: CalendarParameters): Sql {
  return sql`
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
        SELECT skipped.day, false FROM (VALUES (date '2011-12-30')) AS skipped (day), calendar c
        WHERE NOT day_exists(skipped.day, ${zone}, c.day_start_hour)
        UNION ALL
        SELECT span.first_day + n, false
        FROM (SELECT min(s.day) AS first_day, greatest(max(s.day), max(today.day)) AS last_day FROM studied s, today) AS span
        JOIN calendar c ON c.rest_weekdays <> '{}'
        CROSS JOIN LATERAL generate_series(0, span.last_day - span.first_day) AS n
        WHERE extract(isodow FROM span.first_day + n) = ANY (c.rest_weekdays)
      ) AS d
    ) AS link
    GROUP BY link.chain)`;
}

/** SQL: what `studyRuns` takes where nothing pauses. */
export const noPauses = sql`no_pauses AS (SELECT NULL::date AS first_day, NULL::date AS last_day WHERE false)`;

/** SQL: the length of the run that is current on a day. */
export const currentStreak = (day: Sql): Sql => sql`coalesce(
  (SELECT r.length FROM runs r WHERE r.last_day >= ${day} - 1 ORDER BY r.last_day LIMIT 1), 0)`;

/** SQL: the fields of `StudyTotals` for json_build_object. `streakDay` is the day for which the streak is current. */
export function studyTotals(streakDay: Sql, { weeks }: CalendarParameters): Sql {
  return sql`
    'sessions', t.number,
    'seconds', t.seconds,
    'longest', t.longest,
    'shortest', t.shortest,
    'days', (SELECT count(*) FROM studied),
    'current_streak', ${currentStreak(streakDay)},
    'today', today.day,
    'daily', coalesce((
      SELECT json_agg(json_build_array(today.day - d.day, d.seconds)) FROM studied d
      WHERE d.day > today.day - ${t.integer(daysShown)} AND d.day <= today.day), '[]'),
    'longest_streak', coalesce((SELECT max(r.length) FROM runs r), 0),
    'weeks', coalesce((
      SELECT json_agg(json_build_object('week', to_char(${firstMonday} + 7 * n.week, 'IYYY-"W"IW'),
        'seconds', coalesce(w.seconds, 0)) ORDER BY n.week)
      FROM generate_series(
        greatest((SELECT min(w.number) FROM weeks w), today.week - ${weeks} + 1), today.week) AS n (week)
      LEFT JOIN weeks w ON w.number = n.week
      WHERE t.number > 0), '[]')`;
}
