import { empty, type Sql, sql } from '../../../db/sql/sql.ts';
import { isCounted, studyClock } from './study-days.ts';

/** Whose days: the own ones on all projects, or those of all users on a project. */
export type DaysOf = 'user' | 'project';
/** SQL expressions: how days are counted. */
export type DayCalendar = { zone: Sql; dayStart: Sql };
/** SQL expressions: a day of a user or project. */
export type DayOf = DayCalendar & { id: Sql; day: Sql };

const dayAt = (time: Sql, calendar: DayCalendar): Sql => sql`${studyClock(time, calendar, calendar.dayStart)}::date`;

/**
 * SQL: `t (day)`, the days of a session `s`. A second belongs to the day in which it ends, before the next one begins; times have
 * milliseconds. A session touches at most three days: those of its first and last second, and one of 23 hours between them.
 */
export const touchedDays = (calendar: DayCalendar): Sql => sql`(VALUES
  (${firstDay(calendar)}),
  (${dayAt(sql`(s.started_at + s.duration_seconds * interval '500 milliseconds')`, calendar)}),
  (${dayAt(sql`(s.started_at + s.duration_seconds * interval '1 second' - interval '1 millisecond')`, calendar)})) AS t (day)`;

const firstDay = (calendar: DayCalendar, session = sql`s`): Sql =>
  dayAt(sql`(${session}.started_at + interval '999 milliseconds')`, calendar);

/** SQL: the start of a day; late if the clocks change then. */
const latestStart = (day: Sql, { zone, dayStart }: DayCalendar): Sql =>
  sql`((${day} + ${dayStart}) AT TIME ZONE ${zone})`;

/** SQL: the start of a day; early, by more than any change of the clocks, if they change then. */
const earliestStart = (day: Sql, calendar: DayCalendar): Sql => sql`(${latestStart(day, calendar)} - CASE
  WHEN ${dayAt(sql`(${latestStart(day, calendar)} - interval '1 millisecond')`, calendar)} >= ${day} THEN interval '25 hours'
  ELSE interval '1 second' END)`;

const finished = (of: DaysOf, id: Sql): Sql =>
  sql`${of === 'user' ? sql`s.user_id` : sql`s.project_id`} = ${id} AND s.ended_at IS NOT NULL
    AND ${isCounted(sql`s.duration_seconds`)}`;
const from = sql`SELECT s.id, s.started_at, s.ended_at, s.duration_seconds FROM study_sessions s`;

/** SQL: the last session to begin before a day. */
const latestBefore = (of: DaysOf, { id, day, ...calendar }: DayOf, except: Sql): Sql => sql`
  ${from} WHERE ${finished(of, id)} AND s.started_at < ${latestStart(day, calendar)}
    AND ${firstDay(calendar)} < ${day} ${except}
  ORDER BY s.started_at DESC LIMIT 1`;

/** SQL: the first session to begin after a day. */
const earliestAfter = (of: DaysOf, { id, day, ...calendar }: DayOf): Sql => sql`
  ${from} WHERE ${finished(of, id)} AND s.started_at >= ${earliestStart(sql`(${day} + 1)`, calendar)}
    AND ${firstDay(calendar)} > ${day}
  ORDER BY s.started_at LIMIT 1`;

/**
 * SQL: the last session to end of those that begin at the latest on a day, if it ends after that day. Those of one user do not overlap:
 * it is the last to begin.
 */
const latestUntil = (of: DaysOf, { id, day, ...calendar }: DayOf, except: Sql): Sql => {
  if (of === 'user') return latestBefore(of, { id, day: sql`(${day} + 1)`, ...calendar }, except);
  const next = sql`(${day} + 1)`;
  return sql`
  ${from} WHERE ${finished(of, id)} AND s.ended_at > ${earliestStart(next, calendar)}
    AND s.ended_at < ${latestStart(next, calendar)} + interval '24 hours' AND ${firstDay(calendar)} <= ${day} ${except}
  ORDER BY s.ended_at DESC LIMIT 1`;
};

/** SQL: the last day of study before a day; one or two index probes. `except`: a condition on sessions `s`. */
export function previousStudyDay(of: DaysOf, at: DayOf, except = empty): Sql {
  const began = firstDay(at, sql`l`);
  const crossing = sql`
    UNION ALL (${latestUntil(of, { ...at, day: began }, sql`${except} AND ${began} < ${at.day} - 1`)})`;
  return sql`(
    SELECT max(t.day) FROM (${latestBefore(of, at, except)}) AS l
    CROSS JOIN LATERAL (SELECT l.* ${of === 'user' ? empty : crossing}) AS s CROSS JOIN LATERAL ${touchedDays(at)}
    WHERE t.day < ${at.day})`;
}

/** SQL: the first day of study after a day. */
export function nextStudyDay(of: DaysOf, at: DayOf): Sql {
  const startsNextDay = sql`EXISTS (
    SELECT FROM (${earliestAfter(of, at)}) AS s WHERE ${firstDay(at)} = ${at.day} + 1)`;
  return sql`(
    SELECT min(t.day) FROM (
      (${earliestAfter(of, at)}) UNION ALL (${latestUntil(of, at, of === 'user' ? empty : sql`AND NOT ${startsNextDay}`)})) AS s
    CROSS JOIN LATERAL ${touchedDays(at)} WHERE t.day > ${at.day})`;
}
