import { type Interpolation, type Sql, sql } from '../../../db/sql/sql.ts';
import { specialDays } from './day-kind-sql.ts';
import { isCounted } from './study-days.ts';

/** SQL: how many seconds of a session `s` on a local clock are before the next day. */
const beforeMidnight = sql`floor(extract(epoch FROM s.local_start::date + 1 - s.local_start))`;
const localDay = (time: Sql) => sql`(${time} AT TIME ZONE s.zone - s.day_start)::date`;

/** SQL: a time on the clock of a member `m` that shows 0:00 when a day of study begins. */
export const memberClock = (time: Interpolation): Sql => sql`(${time} AT TIME ZONE m.zone - m.day_start)`;

/**
 * SQL: `members` (id, names, zone, day_start, today, off, excused, until) of a group: active ordinary users. `until` is the time up to
 * which their study counts, by default all.
 */
export const membersOf = (groupId: Interpolation, now: Interpolation, until = sql`'infinity'::timestamptz`): Sql => sql`
  members AS MATERIALIZED (
    SELECT m.*, ${memberClock(now)}::date AS today, special.off, special.excused, ${until} AS until FROM (
      SELECT u.id, u.username, u.display_name, u.timezone AS zone, make_interval(hours => u.day_start_hour) AS day_start
      FROM group_members g JOIN users u ON u.id = g.user_id AND u.status = 'active' AND u.role = 'user'
      WHERE g.group_id = ${groupId}) AS m
    CROSS JOIN LATERAL (${specialDays(sql`m.id`)}) AS special)`;

/**
 * SQL: CTEs that end in `pieces` (user_id, project_id, day, seconds, is_counted), of the finished sessions of `members` that match
 * the condition. The same days as those of `studyDays`, each in the calendar of its user, from one scan of all sessions
 * instead of one for each user; a test compares both.
 */
export const memberDays = (condition: Sql): Sql => sql`
  sessions AS MATERIALIZED (
    SELECT m.id AS user_id, m.zone, m.day_start, s.project_id, s.started_at, s.ended_at, s.seconds,
      ${memberClock(sql`s.started_at`)} AS local_start, ${memberClock(sql`s.ended_at`)} AS local_end
    FROM members m CROSS JOIN LATERAL (
      SELECT s.project_id, s.started_at, least(s.ended_at, m.until) AS ended_at,
        CASE WHEN s.ended_at <= m.until THEN s.duration_seconds
          ELSE floor(extract(epoch FROM m.until - s.started_at))::integer END AS seconds
      FROM study_sessions s
      WHERE s.user_id = m.id AND ${condition} AND s.ended_at IS NOT NULL AND s.started_at < m.until OFFSET 0) AS s),
  pieces AS (
    SELECT s.user_id, s.project_id, s.local_start::date AS day, least(s.seconds, ${beforeMidnight}) AS seconds,
      ${isCounted(sql`s.seconds`)} AS is_counted
    FROM sessions s WHERE s.local_end - s.local_start = s.ended_at - s.started_at
    UNION ALL
    SELECT s.user_id, s.project_id, s.local_start::date + 1, s.seconds - ${beforeMidnight}, ${isCounted(sql`s.seconds`)}
    FROM sessions s
    WHERE s.local_end - s.local_start = s.ended_at - s.started_at AND s.seconds > ${beforeMidnight}
    UNION ALL -- the clocks changed in between
    SELECT s.user_id, s.project_id, ${localDay(sql`greatest(tick.minute, s.started_at)`)},
      floor(extract(epoch FROM least(tick.minute + interval '1 minute', s.ended_at) - s.started_at))
      - floor(extract(epoch FROM greatest(tick.minute, s.started_at) - s.started_at)), ${isCounted(sql`s.seconds`)}
    FROM sessions s
    CROSS JOIN generate_series(date_trunc('minute', s.started_at), s.ended_at, interval '1 minute') AS tick (minute)
    WHERE s.local_end - s.local_start <> s.ended_at - s.started_at)`;
