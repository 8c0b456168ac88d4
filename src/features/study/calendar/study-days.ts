import { type Interpolation, type Sql, sql, t } from '../../../db/sql/sql.ts';
import type { SamePart } from './compared-periods.ts';
import { daysOn, rangesOf, specialDays } from './day-kind-sql.ts';
import { dateOf } from './study-figures.ts';

/**
 * How days are counted: a time zone that the database knows, the current time, and the user whose preferences apply.
 */
export type Calendar = { zone: string; now: Date; user_id: number };

/** A calendar in a statement: parameters, or columns in statements about many users. */
export type CalendarParameters = { readonly [Name in keyof Calendar]: Interpolation };

export function calendarParameters({ zone, now, user_id }: Calendar) {
  return { zone: t.text(zone), now: t.timestamptz(now), user_id: t.bigint(user_id) };
}

/** SQL: whether a record is long enough to make its days ones of study, and to earn awards. Figures of hours have all seconds. */
export const isCounted = (seconds: Sql): Sql => sql`${seconds} >= 60`;

/** SQL: seconds as hours, rounded as those of the stored totals and by `hoursOf` in session-times.ts. */
export const hoursIn = (seconds: Sql): Sql => sql`round(${seconds} / 3600.0, 2)`;

/** SQL: the local time, shifted so that a day of study begins at 0:00. */
export const studyClock = (time: Interpolation, { zone }: Pick<CalendarParameters, 'zone'>, dayStart: Sql): Sql =>
  sql`(${time} AT TIME ZONE ${zone} - ${dayStart})`;

/** SQL: the day of study that contains a time, for the user of the calendar. */
export const dayOf = (time: Interpolation, calendar: CalendarParameters): Sql => {
  const hour = sql`(SELECT u.day_start_hour FROM users u WHERE u.id = ${calendar.user_id})`;
  return sql`${studyClock(time, calendar, sql`make_interval(hours => coalesce(${hour}, 0))`)}::date`;
};

/** SQL: the sessions `s`; with a time, finished ones as they were then, so that a part of one is a shorter one. */
export const sessionsUntil = (until?: Sql): Sql =>
  until === undefined
    ? sql`study_sessions s`
    : sql`(
        SELECT s.id, s.user_id, s.project_id, s.tags, s.started_at, least(s.ended_at, ${until}) AS ended_at,
          CASE WHEN s.ended_at <= ${until} THEN s.duration_seconds
            ELSE floor(extract(epoch FROM ${until} - s.started_at))::integer END AS duration_seconds
        FROM study_sessions s WHERE s.ended_at IS NOT NULL AND s.started_at < ${until}) AS s`;

/** SQL: the time up to which study in the other period counts, by the clock `clock` of its user, whose zone is `zone`. */
export const untilSameTime = ({ lastDay, daysAgo }: SamePart, now: Sql, zone: Sql, clock: Sql): Sql => sql`
  CASE WHEN ${clock}::date <= ${t.date(dateOf(lastDay))}
    THEN (${now} AT TIME ZONE ${zone} - make_interval(days => ${t.integer(daysAgo)})) AT TIME ZONE ${zone}
    ELSE 'infinity' END`;

/** SQL: when a day of study begins; an hour late if the clocks go back then. */
export const dayStartOf = (day: Sql, { zone, user_id }: CalendarParameters): Sql => sql`(
  ${day} + make_interval(hours => coalesce((SELECT u.day_start_hour FROM users u WHERE u.id = ${user_id}), 0)))
  AT TIME ZONE ${zone}`;

/**
 * SQL: CTEs of the finished sessions `s` that match the condition, by the local days they touch. `calendar` has the
 * preferences of the user of the calendar.
 *
 * `started` has a row per project and local day on which sessions began. A session lasts at most a day and so crosses
 * at most one start of a day, unless the clocks change; `before_midnight` are its seconds before that. Seconds are
 * counted as whole seconds from the start of the session. This is cheap because only starts are converted and only
 * sessions that cross a day are split.
 *
 * If the UTC offsets at the first start and the last end of a group differ, the clocks were changed in between
 * (`regular` is false), and its sessions are split by the minute: clock changes and midnights are at whole minutes.
 *
 * `pieces` are the seconds of projects on local days, `studied` has a row per local day with its seconds, and whether one of its
 * sessions is long enough to count. Sums are float8: exact for any number of seconds here, and
 * several times faster than numeric, the type in which PostgreSQL sums bigint.
 *
 * `until` limits the study that counts to that before a time.
 */
export function studyDays(condition: Sql, parameters: CalendarParameters, until?: Sql): Sql {
  const sessions = sessionsUntil(until);
  const clock = (time: Interpolation) => studyClock(time, parameters, sql`(SELECT c.day_start FROM calendar c)`);
  return sql`
  calendar AS MATERIALIZED (
    SELECT coalesce(u.day_start_hour, 0) AS day_start_hour,
      make_interval(hours => coalesce(u.day_start_hour, 0)) AS day_start,
      coalesce(u.week_start, 1) AS week_start, coalesce(u.rest_weekdays, '{}') AS rest_weekdays, special.off, special.school
    FROM (VALUES (0)) AS always LEFT JOIN users u ON u.id = ${parameters.user_id}
    CROSS JOIN LATERAL (${specialDays(parameters.user_id)}) AS special),
  started AS MATERIALIZED (
    SELECT r.project_id, r.day, count(*)::integer AS number, sum(r.seconds)::float8 AS seconds,
      sum(r.before_midnight)::float8 AS before_midnight,
      bool_or(${isCounted(sql`r.seconds`)} AND r.before_midnight > 0) AS is_counted,
      bool_or(${isCounted(sql`r.seconds`)} AND r.seconds > r.before_midnight) AS is_next_counted, max(r.seconds) AS longest, min(r.seconds) AS shortest,
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
        FROM ${sessions} WHERE ${condition} AND s.ended_at IS NOT NULL
        OFFSET 0 -- otherwise each use repeats the conversion
      ) AS l
    ) AS r
    GROUP BY r.project_id, r.day),
  pieces AS (
    SELECT piece.project_id, piece.day, piece.seconds, piece.is_counted
    FROM (
      SELECT d.project_id, d.day, d.before_midnight AS seconds, d.is_counted FROM started d WHERE d.regular
      UNION ALL
      SELECT d.project_id, d.day + 1, d.seconds - d.before_midnight, d.is_next_counted FROM started d WHERE d.regular
      UNION ALL
      SELECT d.project_id, ${clock(sql`greatest(tick.minute, s.started_at)`)}::date,
        floor(extract(epoch FROM least(tick.minute + interval '1 minute', s.ended_at) - s.started_at))
        - floor(extract(epoch FROM greatest(tick.minute, s.started_at) - s.started_at)),
        ${isCounted(sql`s.duration_seconds`)}
      FROM started d
      JOIN ${sessions} ON s.project_id = d.project_id AND ${clock(sql`s.started_at`)}::date = d.day
        AND s.started_at >= d.first_start AND s.ended_at > d.first_start AND s.ended_at <= d.last_end
      CROSS JOIN generate_series(date_trunc('minute', s.started_at), s.ended_at, interval '1 minute') AS tick (minute)
      WHERE NOT d.regular AND ${condition}
    ) AS piece
    WHERE piece.seconds > 0),
  studied AS MATERIALIZED (
    SELECT piece.day, sum(piece.seconds) AS seconds, bool_or(piece.is_counted) AS is_counted
    FROM pieces piece GROUP BY piece.day),
  totals AS MATERIALIZED (
    SELECT coalesce(sum(d.number), 0) AS number, coalesce(sum(d.seconds), 0) AS seconds,
      coalesce(max(d.longest), 0) AS longest, coalesce(min(d.shortest), 0) AS shortest
    FROM started d),
  today AS MATERIALIZED (
    SELECT local.clock::date AS day, (SELECT c.off FROM calendar c) AS off,
      CASE WHEN ${clock(sql`(${parameters.now} + interval '24 hours')`)} = local.clock + interval '24 hours'
        THEN ${parameters.now} + (local.clock::date + 1 - local.clock) ELSE ${parameters.now} END AS ends_at
    FROM (SELECT ${clock(parameters.now)} AS clock) AS local)`;
}

/** SQL: a row of `today` with the day and the days off of the user of the calendar, where no other days are needed. */
export const todayOf = (calendar: CalendarParameters): Sql => sql`
  SELECT ${dayOf(calendar.now, calendar)} AS day, special.off
  FROM (${specialDays(calendar.user_id)}) AS special`;

/**
 * SQL: a condition on sessions `s` of a user that leaves out those before a start that is followed by a gap longer than
 * a current streak allows: consecutive days begin less than four days apart, plus days of rest and days off. Sessions are read
 * backwards only to that start, and at least those of some days: by default of the current week.
 */
export const sinceGap = (userId: Interpolation, now: Interpolation, days = 9): Sql => sql`
  s.user_id = ${userId} AND s.started_at > (SELECT least(${now} - make_interval(days => ${t.integer(days)}), coalesce((
    SELECT r.started_at
    FROM (
      SELECT s.started_at, lag(s.started_at) OVER (ORDER BY s.started_at DESC, s.id DESC) AS next_start
      FROM study_sessions s WHERE s.user_id = ${userId}) AS r
    CROSS JOIN (
      SELECT 4 + cardinality(u.rest_weekdays) AS days, special.off
      FROM users u CROSS JOIN LATERAL (${specialDays(userId)}) AS special WHERE u.id = ${userId} OFFSET 0) AS gap
    WHERE r.next_start - r.started_at > make_interval(days => gap.days)
      AND ${daysOn(sql`gap.off`, sql`(r.started_at AT TIME ZONE 'UTC')::date - 1`, sql`(r.next_start AT TIME ZONE 'UTC')::date + 1`)}
        > gap.days + 3
    ORDER BY r.started_at DESC LIMIT 1), '-infinity')))`;

/** SQL: a day as a number, for TypeScript. */
export const dayNumber = (day: Sql): Sql => sql`(${day} - date '1970-01-01')`;

/** SQL: the fields of `StudiedDays` for json_build_object, from the CTEs of `studyDays`. */
export const studiedDays = sql`
    'today', ${dayNumber(sql`today.day`)},
    'days', coalesce((
      SELECT json_agg(json_build_array(${dayNumber(sql`d.day`)}, d.seconds) ORDER BY d.day) FROM studied d), '[]'),
    'uncounted', coalesce((
      SELECT json_agg(${dayNumber(sql`d.day`)}) FROM studied d WHERE NOT d.is_counted), '[]'),
    'day_start_hour', (SELECT c.day_start_hour FROM calendar c),
    'week_start', (SELECT c.week_start FROM calendar c),
    'rest_weekdays', (SELECT c.rest_weekdays FROM calendar c),
    'off', (SELECT ${rangesOf(sql`c.off`)} FROM calendar c),
    'school', (SELECT ${rangesOf(sql`c.school`)} FROM calendar c)`;

/** SQL: the totals of the sessions for json_build_object, from the CTEs of `studyDays`. */
export const studyTotals = sql`
    'sessions', t.number,
    'seconds', t.seconds,
    'longest', t.longest,
    'shortest', t.shortest`;

/** The latest ones, which are those of more than a year even of a project whose status changes all the time. */
const maxStatusChanges = 4_000;
/** SQL: the last change of a project's status to or from active of each day, as JSON. */
export const statusChanges = (projectId: Interpolation, parameters: CalendarParameters) => sql`
  coalesce((
    SELECT json_agg(json_build_array(l.day, l.is_active) ORDER BY l.day)
    FROM (
      SELECT DISTINCT ON (r.day) r.day, r.is_active
      FROM (
        SELECT ${dayNumber(dayOf(sql`c.changed_at`, parameters))} AS day, c.to_status = 'active' AS is_active, c.changed_at, c.id
        FROM project_status_changes c
        WHERE c.project_id = ${projectId} AND 'active' IN (c.from_status, c.to_status)
        ORDER BY c.changed_at DESC, c.id DESC LIMIT ${t.integer(maxStatusChanges)}) AS r
      ORDER BY r.day, r.changed_at DESC, r.id DESC) AS l), '[]')`;
