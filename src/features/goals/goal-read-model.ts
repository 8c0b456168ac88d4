import type { Executor } from '../../db/executor.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { type RowOf, t } from '../../db/sql/types.ts';
import type { Reader } from '../projects/project-policy.ts';
import { projectStatuses } from '../projects/project-schemas.ts';
import { visibleTo } from '../projects/project-visibility.ts';
import { type Calendar, calendarParameters, dayOf, dayOfWeek, studyDays } from '../statistics/study-days.ts';

const columns = {
  visible: t.boolean,
  status: t.oneOf(projectStatuses),
  target_seconds: t.bigint,
  current_seconds: t.bigint,
  plan_seconds: t.bigint,
  plan_day: t.date,
  due_day: t.date.orNull,
  today: t.date,
  first_day: t.date,
  weekly_goal_seconds: t.bigint.orNull,
  days_left_in_week: t.integer,
  today_seconds: t.bigint,
  week_seconds: t.bigint,
  last_7_days: t.bigint,
  last_28_days: t.bigint,
};
/** Not `visible` if the reader may not see the project. */
export type GoalRow = RowOf<typeof columns>;

/** SQL: the finished seconds of the days `d`, up to today, that match the condition. */
const secondsOf = (condition: Sql) =>
  sql`coalesce((SELECT sum(d.seconds) FROM studied d WHERE d.day <= today.day AND ${condition}), 0)::bigint`;

const readGoal = query('read_goal', columns, (reader: Reader, projectId: number, calendar: Calendar) => {
  const id = t.bigint(projectId);
  const parameters = calendarParameters(calendar);
  // Four weeks, plus the longest session and the difference between time zones.
  const recent = sql`s.project_id = ${id} AND s.ended_at > ${parameters.now} - interval '31 days'`;
  return sql`
    WITH ${studyDays(recent, parameters)}
    SELECT ${visibleTo(reader)} AS visible, p.status, (p.target_hours * 3600)::bigint AS target_seconds,
      p.current_seconds, p.plan_seconds, ${dayOf(sql`p.plan_started_at`, parameters)} AS plan_day,
      p.due_date AS due_day, today.day AS today, (p.weekly_goal_hours * 3600)::bigint AS weekly_goal_seconds,
      least(${dayOf(sql`p.created_at`, parameters)}, (
        SELECT min(d.day) FROM studied d WHERE d.day > today.day - 28)) AS first_day,
      8 - ${dayOfWeek(sql`today.day`)} AS days_left_in_week,
      ${secondsOf(sql`d.day = today.day`)} AS today_seconds,
      ${secondsOf(sql`d.day > today.day - ${dayOfWeek(sql`today.day`)}`)} AS week_seconds,
      ${secondsOf(sql`d.day > today.day - 7`)} AS last_7_days,
      ${secondsOf(sql`d.day > today.day - 28`)} AS last_28_days
    FROM projects p CROSS JOIN today
    WHERE p.id = ${id} AND p.deleted_at IS NULL`;
});

export function createGoalReadModel(db: Executor) {
  return {
    read: (reader: Reader, projectId: number, calendar: Calendar) => db.maybeOne(readGoal(reader, projectId, calendar)),
  };
}

export type GoalReadModel = ReturnType<typeof createGoalReadModel>;
