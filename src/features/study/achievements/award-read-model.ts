import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { one, value } from '../../../db/statements.ts';
import type { Day } from '../calendar/day-kinds.ts';
import {
  type Calendar,
  calendarParameters,
  dayStartOf,
  isCounted,
  statusChanges,
  studiedDays,
  studyDays,
} from '../calendar/study-days.ts';
import type { StudiedDays } from '../calendar/study-figures.ts';
import type { StatusChange } from '../calendar/study-runs.ts';
import { touchedDays } from '../calendar/study-walk-sql.ts';
import { requiredAmounts } from './achievement-catalogue.ts';
import { type AwardedTo, isEarlyBird, isNightOwl } from './achievement-repository.ts';

const columns = {
  days: t.json<StudiedDays & { changes: StatusChange[] }>(),
  /** When each amount of study time was reached, or null. */
  study_time: t.json<[id: number, at: string | null][]>(),
  early_bird: t.timestamptz.orNull,
  night_owl: t.timestamptz.orNull,
  target: t.timestamptz.orNull,
};
export type AwardRead = RowOf<typeof columns>;

const hours = requiredAmounts.filter(({ kind }) => kind === 'study_time');
const firstEnd = (sessions: Sql, condition: Sql) => sql`
  (SELECT s.ended_at FROM study_sessions s WHERE ${sessions} AND s.ended_at IS NOT NULL AND ${isCounted(sql`s.duration_seconds`)} AND ${condition}
   ORDER BY s.started_at, s.id LIMIT 1)`;

/** SQL: `reached (ended_at, seconds)`, the total at the end of each of the sessions `s`. */
const totals = (sessions: Sql) => sql`
  reached AS MATERIALIZED (
    SELECT s.ended_at, ${isCounted(sql`s.duration_seconds`)} AS is_counted,
      sum(s.duration_seconds) OVER (ORDER BY s.ended_at, s.id) AS seconds
    FROM study_sessions s WHERE ${sessions} AND s.ended_at IS NOT NULL)`;

const studyTime = sql`
  (SELECT json_agg(json_build_array(k.id, (
     SELECT to_char(min(r.ended_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM reached r WHERE r.seconds >= k.amount AND r.is_counted)))
   FROM unnest(${t.integers(hours.map(({ id }) => id))}, ${t.integers(hours.map(({ amount }) => amount))}) AS k (id, amount))`;

export const ofUser = one('read_days_of_user', columns, (calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  const own = sql`s.user_id = ${parameters.user_id}`;
  return sql`
    WITH ${studyDays(own, parameters)}, ${totals(own)}
    SELECT json_build_object(${studiedDays}, 'changes', '[]'::json) AS days, ${studyTime} AS study_time,
      ${firstEnd(own, isEarlyBird)} AS early_bird, ${firstEnd(own, isNightOwl)} AS night_owl, NULL::timestamptz AS target
    FROM today`;
});

/** By the calendar of a user, and with the hours of the day of that user. */
export const ofProject = one('read_days_of_project', columns, (projectId: number, calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  const id = t.bigint(projectId);
  const ofAll = sql`s.project_id = ${id}`;
  const own = sql`${ofAll} AND s.user_id = ${parameters.user_id}`;
  return sql`
    WITH ${studyDays(ofAll, parameters)}, ${totals(ofAll)}
    SELECT json_build_object(${studiedDays}, 'changes', ${statusChanges(id, parameters)}) AS days, ${studyTime} AS study_time,
      ${firstEnd(own, isEarlyBird)} AS early_bird, ${firstEnd(own, isNightOwl)} AS night_owl,
      (SELECT min(r.ended_at) FROM projects p JOIN reached r ON r.seconds >= p.target_hours * 3600
       WHERE p.id = ${id} AND p.progress = 100) AS target
    FROM today`;
});

// When the first session on a day ended.
/** When the first session on a day of study ended. */
export const endOf = value(
  'read_end_of_study_day',
  { ended_at: t.timestamptz.orNull },
  (to: AwardedTo, owner: number, day: Day, calendar: Calendar) => {
    const parameters = calendarParameters(calendar);
    const start = dayStartOf(sql`k.day`, parameters);
    const dayStart = sql`make_interval(hours => u.day_start_hour)`;
    const sessions = sql`${to === 'user' ? sql`s.user_id` : sql`s.project_id`} = ${t.bigint(owner)}
      AND s.started_at > ${start} - interval '2 days' AND s.started_at < ${start} + interval '2 days'`;
    return sql`
      SELECT ${firstEnd(sessions, sql`k.day IN (SELECT t.day FROM ${touchedDays({ zone: sql`${parameters.zone}`, dayStart })})`)}
        AS ended_at
      FROM (SELECT date '1970-01-01' + ${t.integer(day)} AS day) AS k, users u WHERE u.id = ${parameters.user_id}`;
  },
);

/** What many records earn. Reads without locks: the number of rows is not bounded. */
