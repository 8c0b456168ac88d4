import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import type { Reader } from '../projects/project-access.ts';
import { projectStatuses, targetScopes } from '../projects/project-schemas.ts';
import { visibleTo } from '../projects/project-sql.ts';
import { type Calendar, calendarParameters, studiedDays, studyDays } from '../statistics/study-days.ts';
import type { StudiedDays } from '../statistics/study-figures.ts';
import { beganOn, isOwnGoal, joinGoal } from './goal-sql.ts';

const columns = {
  visible: t.boolean,
  status: t.oneOf(projectStatuses),
  target_scope: t.oneOf(targetScopes),
  /** Whether the figures are those of the reader alone. */
  own: t.boolean,
  /** By which the seconds of `studied` are to be divided. */
  members: t.bigint,
  target_seconds: t.bigint,
  current_seconds: t.bigint,
  pace_seconds: t.bigint,
  pace_days: t.integer,
  due_date: t.date.orNull,
  began_on: t.date,
  weekly_goal_seconds: t.bigint.orNull,
  studied: t.json<StudiedDays>(),
};
/** Not `visible` if the reader may not see the project. */
export type GoalRow = RowOf<typeof columns>;

const readGoal = query('read_goal', columns, (reader: Reader, projectId: number, calendar: Calendar) => {
  const id = t.bigint(projectId);
  const person = t.bigint(reader.id);
  const parameters = calendarParameters(calendar);
  // Four weeks, plus the longest session and the difference between time zones.
  const recent = sql`s.project_id = ${id} AND s.ended_at > ${parameters.now} - interval '31 days'
    AND (s.user_id = ${person} OR NOT (SELECT ${isOwnGoal(person)} FROM projects p WHERE p.id = ${id}))`;
  return sql`
    WITH ${studyDays(recent, parameters)}
    SELECT ${visibleTo(reader)} AS visible, p.status, p.target_scope, goal.own, goal.members, goal.target_seconds,
      goal.current_seconds, goal.pace_seconds, goal.pace_days, p.due_date,
      ${beganOn(person, parameters)} AS began_on,
      (p.weekly_goal_hours * 3600)::bigint AS weekly_goal_seconds, json_build_object(${studiedDays}) AS studied
    FROM projects p CROSS JOIN today ${joinGoal(person, parameters)}
    WHERE p.id = ${id} AND p.deleted_at IS NULL`;
});

export function createGoalReadModel(db: Executor) {
  return {
    read: (reader: Reader, projectId: number, calendar: Calendar) => db.maybeOne(readGoal(reader, projectId, calendar)),
  };
}

export type GoalReadModel = ReturnType<typeof createGoalReadModel>;
