import type { Reader } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import { leftJoined, matched, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { one } from '../../../db/statements.ts';
import { type Calendar, calendarParameters, sinceGap, studiedDays, studyDays } from '../calendar/study-days.ts';
import type { StudiedDays } from '../calendar/study-figures.ts';
import { joinGoal } from '../goals/goal-sql.ts';
import type { GoalState } from '../goals/goal-states.ts';
import { visibleTo } from '../project-access/project-sql.ts';
import type { targetScopes } from '../project-access/project-values.ts';
import { elapsedSeconds, type SessionRow, selectSession, sessionColumns } from '../study-sessions/session-sql.ts';

/** The states of goals that may be missed. */
export const riskStates = ['overdue', 'behind', 'slowing'] as const satisfies readonly GoalState[];

type DashboardFigures = StudiedDays & {
  continue: { project_id: number; project_name: string; own_seconds: number; last_session: string }[];
  goals_at_risk: {
    project_id: number;
    project_name: string;
    state: (typeof riskStates)[number];
    target_scope: (typeof targetScopes)[number];
    due_date: string | null;
    remaining: number;
    days_left: number | null;
    weekly_goal_hours: number | null;
  }[];
};

const columns = {
  figures: t.json<DashboardFigures>(),
  daily_goal_minutes: t.integer.orNull,
  weekly_goal_minutes: t.integer.orNull,
};
export type Dashboard = RowOf<typeof columns> & { timer: SessionRow | undefined };

// Assigned projects are looked up in the index of open goals, which contains few of them.
const isOpenGoal = sql`(p.due_date IS NOT NULL OR p.weekly_goal_hours IS NOT NULL) AND p.status = 'active' AND p.deleted_at IS NULL`;
const readDashboard = one(
  'read_dashboard',
  { ...columns, ...leftJoined(sessionColumns) },
  (reader: Reader, calendar: Calendar) => {
    const id = sql`${t.bigint(reader.id)}`;
    const parameters = calendarParameters(calendar);
    return sql`
      WITH ${studyDays(sinceGap(id, parameters.now), parameters)},
      latest AS MATERIALIZED (
        SELECT p.id, p.name, k.seconds, k.last_session
        FROM project_user_totals k JOIN projects p ON p.id = k.project_id
        WHERE k.user_id = ${id} AND k.last_session IS NOT NULL AND p.status = 'active' AND p.deleted_at IS NULL
          AND ${visibleTo(reader)}
        ORDER BY k.last_session DESC, p.id DESC LIMIT 5),
      due AS (
        SELECT p.id FROM projects p WHERE p.user_id = ${id} AND ${isOpenGoal}
        UNION ALL
        SELECT p.id FROM project_assignments a CROSS JOIN LATERAL (
          SELECT p.id FROM projects p
          WHERE p.id = a.project_id AND p.target_scope = 'each' AND ${isOpenGoal} OFFSET 0) AS p
        WHERE a.user_id = ${id} AND a.owner_id <> ${id}),
      at_risk AS MATERIALIZED (
        SELECT p.id, p.name, p.target_scope, p.due_date, p.weekly_goal_hours, goal.target_seconds - goal.current_seconds AS remaining,
          greatest(0, goal.days_left) AS days_left, goal.state
        FROM due d CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = d.id OFFSET 0) AS p CROSS JOIN today ${joinGoal(id, parameters)}
        WHERE goal.own AND goal.state = ANY (${t.texts(riskStates)})
        ORDER BY p.due_date, p.id LIMIT 5)
      SELECT ${selectSession({ seconds: elapsedSeconds(parameters.now) })}, u.daily_goal_minutes, u.weekly_goal_minutes,
        json_build_object(
          ${studiedDays},
          'continue', coalesce((
            SELECT json_agg(json_build_object('project_id', l.id, 'project_name', l.name, 'own_seconds', l.seconds,
              'last_session', l.last_session) ORDER BY l.last_session DESC, l.id DESC) FROM latest l), '[]'),
          'goals_at_risk', coalesce((
            SELECT json_agg(json_build_object('project_id', r.id, 'project_name', r.name, 'state', r.state, 'target_scope', r.target_scope,
              'due_date', r.due_date, 'weekly_goal_hours', r.weekly_goal_hours, 'remaining', r.remaining, 'days_left', r.days_left) ORDER BY r.due_date, r.id)
            FROM at_risk r), '[]')) AS figures
      FROM users u CROSS JOIN today
      LEFT JOIN study_sessions s ON s.user_id = u.id AND s.ended_at IS NULL
      LEFT JOIN projects p ON p.id = s.project_id
      WHERE u.id = ${id}`;
  },
);

export async function read(db: Executor, reader: Reader, calendar: Calendar): Promise<Dashboard> {
  const { figures, daily_goal_minutes, weekly_goal_minutes, ...session } = await readDashboard(db, reader, calendar);
  return { figures, daily_goal_minutes, weekly_goal_minutes, timer: matched(sessionColumns, session) };
}
