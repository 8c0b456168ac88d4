import type { Executor } from '../../db/executor.ts';
import { type Sql, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { type Calendar, calendarParameters, statusChanges, studiedDays, studyDays } from '../statistics/study-days.ts';
import type { StudiedDays } from '../statistics/study-figures.ts';
import type { StatusChange } from '../statistics/study-runs.ts';

/** SQL: the local time at which a session `s` starts, in the zone in which it was recorded. */
const localStart = sql`(s.started_at AT TIME ZONE coalesce(known_time_zone(s.time_zone), 'UTC'))`;
const localEnd = sql`(s.ended_at AT TIME ZONE coalesce(known_time_zone(s.time_zone), 'UTC'))`;

/** SQL: whether one of the sessions `s` is by an early bird (begins between 4:00 and 7:00) or a night owl (22:00 to 4:00). */
const byClock = (sessions: Sql) => sql`
  EXISTS (SELECT FROM study_sessions s WHERE ${sessions} AND s.ended_at IS NOT NULL
    AND ${localStart}::time >= '04:00' AND ${localStart}::time < '07:00') AS early_bird,
  EXISTS (SELECT FROM study_sessions s WHERE ${sessions} AND s.ended_at IS NOT NULL
    AND (${localStart}::time >= '22:00' OR ${localStart}::time < '04:00'
      OR ${localEnd} > ${localStart}::date + time '22:00')) AS night_owl`;

type Days = StudiedDays & { changes: StatusChange[] };
const columns = { days: t.json<Days>(), early_bird: t.boolean, night_owl: t.boolean };

const readUser = query('read_days_of_user', columns, (calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  const own = sql`s.user_id = ${parameters.user_id}`;
  return sql`
    WITH ${studyDays(own, parameters)}
    SELECT json_build_object(${studiedDays}, 'changes', '[]'::json) AS days, ${byClock(own)} FROM today`;
});

const readProject = query('read_days_of_project', columns, (projectId: number, calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  const id = t.bigint(projectId);
  const ofAll = sql`s.project_id = ${id}`;
  return sql`
    WITH ${studyDays(ofAll, parameters)}
    SELECT json_build_object(${studiedDays}, 'changes', ${statusChanges(id, parameters)}) AS days,
      ${byClock(sql`${ofAll} AND s.user_id = ${parameters.user_id}`)}
    FROM today`;
});

/** All days of study and hours that earn achievements. Reads without locks: the number of rows is not bounded. */
export function createAwardReadModel(db: Executor) {
  return {
    ofUser: (calendar: Calendar) => db.one(readUser(calendar)),
    /** By the calendar of a user, and with the hours of that user. */
    ofProject: (projectId: number, calendar: Calendar) => db.one(readProject(projectId, calendar)),
  };
}

export type AwardReadModel = ReturnType<typeof createAwardReadModel>;
export type AwardRead = Awaited<ReturnType<AwardReadModel['ofUser']>>;
