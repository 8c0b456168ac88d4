import { userStatuses } from '../../../actor.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import { groupsInScope } from '../../../transactions/scope-sql.ts';
import { hoursIn } from '../../study/calendar/study-days.ts';
import { type ProgressQuery, type progressSorts, standingSorts } from './progress-schemas.ts';
import { ago, commonSortKeys, found, isStudying, matches, type ProgressSelection, pageOf } from './progress-sql.ts';

const columns = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  status: t.oneOf(userStatuses),
  groups: t.json<{ id: number; name: string }[]>(),
  timezone: t.text,
  day_start_hour: t.integer,
  projects_assigned: t.bigint,
  hours_7d: t.numeric,
  hours_28d: t.numeric,
  total_hours: t.numeric,
  project_hours: t.numeric.orNull,
  last_session: t.timestamptz.orNull,
  timer_project_id: t.bigint.orNull,
  timer_project_name: t.text.orNull,
  timer_started_at: t.timestamptz.orNull,
};
type StandingSort = (typeof standingSorts)[number];
export type ProgressRow = RowOf<typeof columns>;

const recentSeconds = (now: Date, days: number) => sql`
  (SELECT coalesce(sum(s.duration_seconds), 0) FROM study_sessions s
   WHERE s.user_id = u.id AND s.started_at >= ${ago(now, days)} AND s.ended_at IS NOT NULL)`;

const countAssigned = sql`(SELECT count(*) FROM project_assignments a WHERE a.user_id = u.id)`;

// Standings are not known in SQL.
const sortKeys: Record<Exclude<(typeof progressSorts)[number], StandingSort>, (now: Date) => Sql> = {
  ...commonSortKeys,
  hours_7d: (now) => recentSeconds(now, 7),
  hours_28d: (now) => recentSeconds(now, 28),
  display_name: () => sql`lower(u.display_name)`,
  status: () => sql`u.status`,
  groups: () => sql`
    (SELECT min(lower(g.name)) FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = u.id)`,
  projects_assigned: () => countAssigned,
  timer_started_at: () => sql`
    (SELECT s.started_at FROM study_sessions s WHERE s.user_id = u.id AND s.ended_at IS NULL)`,
};

const hoursOnProject = (projectId: number | undefined) =>
  projectId === undefined
    ? sql`NULL::numeric`
    : sql`coalesce((
        SELECT h.hours FROM project_user_totals h WHERE h.user_id = u.id AND h.project_id = ${t.bigint(projectId)}), 0)`;

type PageOf = Pick<ProgressSelection, 'now' | 'project_id' | 'limitedTo'>;

// Computed only for the users on the page.
const selectPage = ({ now, project_id, limitedTo }: PageOf) => sql`
  u.id AS user_id, u.username, u.display_name, u.status, u.timezone, u.day_start_hour,
  (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name)), '[]')
   FROM group_members m CROSS JOIN LATERAL (
     SELECT g.id, g.name FROM groups g WHERE g.id = m.group_id OFFSET 0) AS g -- by index: a user has few
   WHERE m.user_id = u.id ${limitedTo === undefined ? empty : sql`AND m.group_id IN (${groupsInScope(t.bigint(limitedTo))})`}) AS groups,
  ${countAssigned} AS projects_assigned,
  ${hoursIn(recentSeconds(now, 7))} AS hours_7d,
  ${hoursIn(recentSeconds(now, 28))} AS hours_28d,
  ${hoursIn(sql`coalesce(k.seconds, 0)`)} AS total_hours, ${hoursOnProject(project_id)} AS project_hours,
  k.last_session_at AS last_session,
  timer.project_id AS timer_project_id, p.name AS timer_project_name, timer.started_at AS timer_started_at`;
const timers = sql`
  LEFT JOIN study_sessions timer ON timer.user_id = u.id AND timer.ended_at IS NULL
  LEFT JOIN projects p ON p.id = timer.project_id`;

type Selection = ProgressQuery & { now: Date };
type Unpaged = ProgressSelection & Pick<ProgressQuery, 'sort' | 'order'>;
export const isStandingSort = (sort: ProgressQuery['sort']): sort is StandingSort =>
  standingSorts.some((name) => name === sort);
const keyOf = ({ sort, now }: Pick<Selection, 'sort' | 'now'>) =>
  sortKeys[isStandingSort(sort) ? 'username' : sort](now);

export const list = many('list_progress', columns, (filter: Selection) => {
  const { withPage, orderOfPage } = pageOf(filter, keyOf(filter), filter);
  return sql`WITH ${withPage} SELECT ${selectPage(filter)} FROM page f JOIN ${found} ON u.id = f.id ${timers} ${orderOfPage}`;
});
const userColumns = { user_id: t.bigint, zone: t.text, last_session: t.timestamptz.orNull, is_studying: t.boolean };
export type FoundUser = RowOf<typeof userColumns>;
/** All users, or the first, in the order of the list; for an order by standing, by name. */
export const listUsers = many('list_users_of_progress', userColumns, (filter: Unpaged, limit?: number) => {
  const { withPage, orderOfPage } = pageOf(filter, keyOf(filter), limit === undefined ? undefined : { page: 1, limit });
  return sql`WITH ${withPage} SELECT u.id AS user_id, u.timezone AS zone, k.last_session_at AS last_session, ${isStudying} AS is_studying
    FROM page f JOIN ${found} ON u.id = f.id ${orderOfPage}`;
});
/** In the order of the ids. */
export const read = many(
  'read_progress',
  columns,
  (userIds: readonly number[], of: PageOf) => sql`
    SELECT ${selectPage(of)} FROM unnest(${t.bigints(userIds)}) WITH ORDINALITY AS f (id, position)
    JOIN ${found} ON u.id = f.id ${timers} ORDER BY f.position`,
);
/** Users after the name `after`, by name. */
export const listAfter = many(
  'export_progress',
  columns,
  (filter: ProgressSelection, after: string, limit: number) => sql`
    WITH page AS MATERIALIZED (
      SELECT u.id FROM ${found} WHERE ${matches(filter)} AND lower(u.username) > ${t.text(after)}
      ORDER BY lower(u.username) LIMIT ${t.bigint(limit)})
    SELECT ${selectPage(filter)}
    FROM page f JOIN ${found} ON u.id = f.id ${timers}
    ORDER BY lower(u.username)`,
);
