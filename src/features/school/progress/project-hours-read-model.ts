import { userStatuses } from '../../../actor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import { isMember } from '../../accounts/users/user-repository.ts';
import { type Calendar, calendarParameters, hoursIn, todayOf } from '../../study/calendar/study-days.ts';
import { joinGoal } from '../../study/goals/goal-sql.ts';
import { goalStates } from '../../study/goals/goal-states.ts';
import { projectStatuses } from '../../study/project-access/project-values.ts';
import { commonSortKeys, found, matches, type ProgressSelection, pageOf } from './progress-sql.ts';
import type { ProjectHoursQuery, projectHoursSorts } from './project-hours-schemas.ts';

const users = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  status: t.oneOf(userStatuses),
  total_hours: t.numeric,
  last_session: t.timestamptz.orNull,
};
export type UserRow = RowOf<typeof users>;

type ListQuery = ProjectHoursQuery & { now: Date };

const hoursOn = (projectId: number) => sql`
  (SELECT coalesce(h.seconds, 0) FROM project_assignments a
   LEFT JOIN project_user_totals h ON h.user_id = a.user_id AND h.project_id = a.project_id
   WHERE a.project_id = ${t.bigint(projectId)} AND a.user_id = u.id)`;
const sortKeys: Record<(typeof projectHoursSorts)[number], (projectId: number) => ReturnType<typeof hoursOn>> = {
  ...commonSortKeys,
  project_hours: hoursOn,
};

export const listUsers = many('list_users_of_project_hours', users, (filter: ListQuery) => {
  const { withPage, orderOfPage } = pageOf(filter, sortKeys[filter.sort](filter.sort_project_id ?? 0), filter);
  return sql`
    WITH ${withPage}
    SELECT u.id AS user_id, u.username, u.display_name, u.status,
      ${hoursIn(sql`coalesce(k.seconds, 0)`)} AS total_hours, k.last_session_at AS last_session
    FROM page f JOIN ${found} ON u.id = f.id ${orderOfPage}`;
});

const projects = {
  id: t.bigint,
  name: t.text,
  status: t.oneOf(projectStatuses),
  target_hours: t.numeric,
  current_hours: t.numeric,
  progress: t.numeric,
  due_date: t.date.orNull,
  state: t.oneOf(goalStates),
  users_count: t.bigint,
  projects_total: t.bigint,
  /** By user. */
  hours: t.json<Record<string, number>>(),
};
export type ProjectRow = RowOf<typeof projects>;

/** The users of a page, and the group to which the list is restricted. */
type UsersOfPage = { userIds: readonly number[]; groupId: number | undefined };

// The lateral subquery finds each project by index; a join would scan the table of projects.
/** Projects of the group, or else of these users: active ones first, then by their number of users. */
export const listProjects = many(
  'list_projects_of_users',
  projects,
  ({ userIds, groupId }: UsersOfPage, maxProjects: number, calendar: Calendar) => {
    const parameters = calendarParameters(calendar);
    const ids = t.bigints(userIds);
    // All pages of a group have the same columns; other lists may contain all users.
    const counted = groupId === undefined ? sql`a.user_id = ANY (${ids})` : isMember(sql`a.user_id`, groupId);
    return sql`
      WITH today AS (${todayOf(parameters)}),
      counted AS (
        SELECT a.project_id, count(*) AS users_count FROM project_assignments a WHERE ${counted}
        GROUP BY a.project_id),
      shown AS MATERIALIZED (
        SELECT p.id, c.users_count, count(*) OVER () AS projects_total,
          row_number() OVER (ORDER BY p.status = 'active' DESC, c.users_count DESC, lower(p.name), p.id) AS place
        FROM counted c CROSS JOIN LATERAL (
          SELECT p.id, p.name, p.status FROM projects p WHERE p.id = c.project_id AND p.deleted_at IS NULL OFFSET 0) AS p
        ORDER BY place LIMIT ${t.bigint(maxProjects)})
      SELECT p.id, p.name, p.status, p.target_hours, p.current_hours, p.progress, p.due_date,
        goal.state, s.users_count, s.projects_total,
        coalesce((
          SELECT json_object_agg(a.user_id, coalesce(h.hours, 0)) FROM project_assignments a
          LEFT JOIN project_user_totals h ON h.user_id = a.user_id AND h.project_id = a.project_id
          WHERE a.project_id = p.id AND a.user_id = ANY (${ids})), '{}') AS hours
      FROM shown s JOIN projects p ON p.id = s.id CROSS JOIN today ${joinGoal(null, parameters)}
      ORDER BY s.place`;
  },
);

const pairs = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  project_id: t.bigint,
  project_name: t.text,
  project_status: t.oneOf(projectStatuses),
  target_hours: t.numeric,
  hours: t.numeric,
  last_session: t.timestamptz.orNull,
};
export type PairRow = RowOf<typeof pairs>;
/** The lower-case username and the project of a pair. */
export type PairKey = { username: string; project_id: number };

export const listPairsAfter = many(
  'export_project_hours',
  pairs,
  (filter: ProgressSelection, after: PairKey, limit: number) => {
    const [name, id] = [t.text(after.username), t.bigint(after.project_id)];
    return sql`
      SELECT u.id AS user_id, u.username, u.display_name, p.id AS project_id, p.name AS project_name,
        p.status AS project_status, p.target_hours, coalesce(h.hours, 0) AS hours, h.last_session
      FROM ${found} JOIN project_assignments a ON a.user_id = u.id JOIN projects p ON p.id = a.project_id
      LEFT JOIN project_user_totals h ON h.user_id = a.user_id AND h.project_id = a.project_id
      WHERE ${matches(filter)} AND p.deleted_at IS NULL
        AND lower(u.username) >= ${name} AND (lower(u.username) > ${name} OR a.project_id > ${id})
      ORDER BY lower(u.username), a.project_id LIMIT ${t.bigint(limit)}`;
  },
);
