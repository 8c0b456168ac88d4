import type { Reader } from '../../../actor.ts';
import { type Interpolation, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne } from '../../../db/statements.ts';
import { firstOfDaysOn } from '../calendar/day-kind-sql.ts';
import { type Calendar, calendarParameters, studiedDays, studyDays } from '../calendar/study-days.ts';
import type { StudiedDays } from '../calendar/study-figures.ts';
import { visibleTo } from '../project-access/project-sql.ts';
import { targetScopes } from '../project-access/project-values.ts';
import { isOwnGoal, joinGoal } from './goal-sql.ts';
import { goalStates, longestPace } from './goal-states.ts';

const columns = {
  visible: t.boolean,
  /** Whether there is such a person. */
  known: t.boolean,
  target_scope: t.oneOf(targetScopes),
  /** Whether the figures are those of the reader alone. */
  own: t.boolean,
  /** By which the seconds of `studied` are to be divided. */
  members: t.bigint,
  target_seconds: t.bigint,
  current_seconds: t.bigint,
  pace_seconds: t.bigint,
  pace_days: t.integer,
  even_seconds: t.bigint.orNull,
  days_left: t.integer.orNull,
  days_needed: t.numeric.orNull,
  began_on: t.date,
  state: t.oneOf(goalStates),
  weekly_goal_seconds: t.bigint.orNull,
  studied: t.json<StudiedDays>(),
};
/** Not `visible` if the reader may not see the project. */
export type GoalRow = RowOf<typeof columns>;

/** SQL: the goal of the user of the calendar, in that user's time zone. */
function goalOf(projectId: Interpolation, reader: Reader, calendar: Calendar): Sql {
  const person = t.bigint(calendar.user_id);
  const zone = sql`(SELECT u.timezone FROM users u WHERE u.id = ${person})`;
  const own = calendarParameters(calendar);
  const parameters = calendar.user_id === reader.id ? own : { ...own, zone: sql`coalesce(${zone}, 'UTC')` };
  // Four weeks without days off, plus the longest session and the difference between time zones.
  const opens = firstOfDaysOn(sql`c.off`, sql`(${parameters.now} AT TIME ZONE 'UTC')::date`, t.integer(longestPace));
  const recent = sql`s.project_id = ${projectId} AND s.ended_at > (SELECT ${opens}::timestamp AT TIME ZONE 'UTC' - interval '4 days' FROM calendar c)
    AND (s.user_id = ${person} OR NOT (SELECT ${isOwnGoal(person)} FROM projects p WHERE p.id = ${projectId}))`;
  return sql`
    WITH ${studyDays(recent, parameters)}
    SELECT ${visibleTo(reader)} AS visible, ${zone} IS NOT NULL AS known, p.target_scope, goal.own, goal.members,
      goal.target_seconds,
      goal.current_seconds, goal.even_seconds, goal.pace_seconds, goal.pace_days, goal.days_left, goal.days_needed,
      goal.began_on, goal.state, (p.weekly_goal_hours * 3600)::bigint AS weekly_goal_seconds, json_build_object(${studiedDays}) AS studied
    FROM projects p CROSS JOIN today ${joinGoal(person, parameters)}
    WHERE p.id = ${projectId} AND p.deleted_at IS NULL`;
}

/** Of one project, also if the reader may not see it; none if it does not exist. */
export const read = maybeOne('read_goal', columns, (reader: Reader, projectId: number, calendar: Calendar) =>
  goalOf(t.bigint(projectId), reader, calendar),
);

/** Of the projects that the reader may see, in the order of the ids; only for these anything is computed. */
export const readMany = many(
  'read_goals',
  { project_id: t.bigint, ...columns },
  (reader: Reader, projectIds: readonly number[], calendar: Calendar) => sql`
    SELECT wanted.id AS project_id, goal.*
    FROM (
      SELECT k.id, k.position FROM unnest(${t.bigints(projectIds)}) WITH ORDINALITY AS k (id, position)
      JOIN projects p ON p.id = k.id WHERE p.deleted_at IS NULL AND ${visibleTo(reader)} OFFSET 0) AS wanted
    CROSS JOIN LATERAL (${goalOf(sql`wanted.id`, reader, calendar)}) AS goal
    ORDER BY wanted.position`,
);
