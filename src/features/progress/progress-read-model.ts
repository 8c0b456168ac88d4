import type { Executor } from '../../db/executor.ts';
import { type RowOf, type Sql, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { joinGoal, stateOfGoal } from '../goals/goal-sql.ts';
import { sinceGap, studiedDays, studyDays } from '../statistics/study-days.ts';
import { firstDayOfWeek, type StudiedDays, secondsBetween, studyFigures } from '../statistics/study-figures.ts';
import { userStatuses } from '../users/user-schemas.ts';
import { daysShown, type ProgressQuery, type progressSorts, standingSorts, weeksShown } from './progress-schemas.ts';
import { ago, commonSortKeys, countProgress, found, matches, type ProgressSelection, pageOf } from './progress-sql.ts';

const columns = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  status: t.oneOf(userStatuses),
  groups: t.json<{ id: number; name: string }[]>(),
  timezone: t.text,
  projects_assigned: t.bigint,
  hours_7d: t.numeric,
  hours_28d: t.numeric,
  total_hours: t.numeric,
  last_session: t.timestamptz.orNull,
  timer_project_id: t.bigint.orNull,
  timer_project_name: t.text.orNull,
  timer_started_at: t.timestamptz.orNull,
};
type StandingSort = (typeof standingSorts)[number];
/** More than a group or a project has. */
const everyone = 100_000;
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

// Computed only for the users on the page.
const selectPage = (now: Date) => sql`
  u.id AS user_id, u.username, u.display_name, u.status, u.timezone,
  (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name)), '[]')
   FROM group_members m CROSS JOIN LATERAL (
     SELECT g.id, g.name FROM groups g WHERE g.id = m.group_id OFFSET 0) AS g -- by index: a user has few
   WHERE m.user_id = u.id) AS groups,
  ${countAssigned} AS projects_assigned,
  round(${recentSeconds(now, 7)} / 3600.0, 2) AS hours_7d,
  round(${recentSeconds(now, 28)} / 3600.0, 2) AS hours_28d,
  round(coalesce(k.seconds, 0) / 3600.0, 2) AS total_hours, k.last_session_at AS last_session,
  timer.project_id AS timer_project_id, p.name AS timer_project_name, timer.started_at AS timer_started_at`;
const timers = sql`
  LEFT JOIN study_sessions timer ON timer.user_id = u.id AND timer.ended_at IS NULL
  LEFT JOIN projects p ON p.id = timer.project_id`;

type Selection = ProgressQuery & { now: Date };
export const isStandingSort = (sort: ProgressQuery['sort']): sort is StandingSort =>
  standingSorts.some((name) => name === sort);
const keyOf = ({ sort, now }: Selection) => sortKeys[isStandingSort(sort) ? 'username' : sort](now);

const listProgress = query('list_progress', columns, (filter: Selection) => {
  const { withPage, orderOfPage } = pageOf(filter, keyOf(filter));
  return sql`WITH ${withPage} SELECT ${selectPage(filter.now)} FROM page f JOIN ${found} ON u.id = f.id ${timers} ${orderOfPage}`;
});
const listUsers = query('list_users_of_progress', { user_id: t.bigint, zone: t.text }, (filter: Selection) => {
  const { withPage, orderOfPage } = pageOf({ ...filter, page: 1, limit: everyone }, keyOf(filter));
  return sql`WITH ${withPage} SELECT u.id AS user_id, u.timezone AS zone FROM page f JOIN users u ON u.id = f.id ${orderOfPage}`;
});
const readProgress = query(
  'read_progress',
  columns,
  (userIds: readonly number[], now: Date) => sql`
    SELECT ${selectPage(now)} FROM unnest(${t.bigints(userIds)}) WITH ORDINALITY AS f (id, position)
    JOIN ${found} ON u.id = f.id ${timers} ORDER BY f.position`,
);
const exportProgress = query(
  'export_progress',
  columns,
  (filter: ProgressSelection, after: string, limit: number) => sql`
    WITH page AS MATERIALIZED (
      SELECT u.id FROM ${found} WHERE ${matches(filter)} AND lower(u.username) > ${t.text(after)}
      ORDER BY lower(u.username) LIMIT ${t.bigint(limit)})
    SELECT ${selectPage(filter.now)}
    FROM page f JOIN ${found} ON u.id = f.id ${timers}
    ORDER BY lower(u.username)`,
);

const standing = {
  user_id: t.bigint,
  zone: t.text,
  studied: t.json<StudiedDays>(),
  goals_behind: t.bigint,
  goals_near: t.bigint,
  goals_overdue: t.bigint,
  goals_ahead: t.bigint,
  goals_total: t.bigint,
};
type GoalCounts = Pick<RowOf<typeof standing>, `goals_${'behind' | 'near' | 'overdue' | 'ahead' | 'total'}`>;
export type Standing = GoalCounts & ReturnType<typeof studyOf> & { current_streak: number };

/** The percentage of its target from which a project counts as near it. */
const near = 80;

// Active projects that may be goals of a user: owned ones that are due or nearly reached, and assigned ones for each. By
// index, however many others there are.
const goalsOf = (userId: Sql) => sql`
  SELECT p.id FROM projects p
  WHERE p.user_id = ${userId} AND p.due_date IS NOT NULL AND p.status = 'active' AND p.deleted_at IS NULL
  UNION SELECT k.project_id FROM project_user_totals k CROSS JOIN LATERAL (
    SELECT FROM projects p WHERE p.id = k.project_id AND p.user_id = k.user_id AND p.status = 'active'
      AND p.deleted_at IS NULL AND k.seconds >= p.target_hours * 36 * ${t.integer(near)} OFFSET 0) AS p
  WHERE k.user_id = ${userId}
  UNION SELECT a.project_id FROM project_assignments a CROSS JOIN LATERAL (
    SELECT FROM projects p WHERE p.id = a.project_id AND p.target_scope = 'each' AND p.status = 'active'
      AND p.deleted_at IS NULL OFFSET 0) AS p
  WHERE a.user_id = ${userId}`;

// With the definitions of statistics and goals, in the calendar of each user.
const readStandings = query(
  'read_standings',
  standing,
  (userIds: readonly number[], zones: readonly string[], now: Date) => {
    const calendar = { zone: sql`who.zone`, now: t.timestamptz(now), user_id: sql`who.user_id` };
    return sql`
      SELECT who.user_id, who.zone, their.*
      FROM unnest(${t.bigints(userIds)}, ${t.texts(zones)}) AS who (user_id, zone)
      CROSS JOIN LATERAL (
        WITH ${studyDays(sinceGap(sql`who.user_id`, calendar.now, weeksShown * 7 + 8), calendar)}
        SELECT json_build_object(${studiedDays}) AS studied, goals.behind AS goals_behind, goals.near AS goals_near,
          goals.overdue AS goals_overdue, goals.ahead AS goals_ahead, goals.total AS goals_total
        FROM today CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE g.state IN ('behind', 'overdue')) AS behind,
            count(*) FILTER (WHERE g.is_near) AS near,
            count(*) FILTER (WHERE g.state = 'overdue') AS overdue,
            count(*) FILTER (WHERE g.state = 'ahead') AS ahead, count(*) AS total
          FROM (
            SELECT ${stateOfGoal} AS state, goal.current_seconds < goal.target_seconds
              AND goal.current_seconds * 100 >= goal.target_seconds * ${t.integer(near)} AS is_near
            FROM (${goalsOf(calendar.user_id)}) AS mine
            CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = mine.id OFFSET 0) AS p
            ${joinGoal(calendar.user_id, calendar)}
            WHERE goal.own AND goal.target_seconds > 0
          ) AS g) AS goals) AS their`;
  },
);

/** Seconds of the latest weeks and days, the current ones last, and of the week before up to the same weekday. */
function studyOf({ today, week_start, days }: StudiedDays) {
  const week = firstDayOfWeek(today, week_start);
  return {
    weeks: Array.from({ length: weeksShown }, (_, index) => {
      const first = week - 7 * (weeksShown - 1 - index);
      return secondsBetween({ days }, first, first + 6);
    }),
    days: Array.from({ length: daysShown }, (_, index) => {
      const day = today - (daysShown - 1 - index);
      return secondsBetween({ days }, day, day);
    }),
    last_week_so_far: secondsBetween({ days }, week - 7, today - 7),
  };
}

export type ProgressReadModel = ReturnType<typeof createProgressReadModel>;

export function createProgressReadModel(db: Executor) {
  return {
    list: (filter: Selection) => db.many(listProgress(filter)),
    /** All users, in the order of the list; for an order by standing, by name. */
    listUsers: (filter: Selection) => db.many(listUsers(filter)),
    /** In the order of the ids. */
    read: (userIds: readonly number[], now: Date) => db.many(readProgress(userIds, now)),
    count: async (filter: ProgressSelection) => (await db.one(countProgress(filter))).total,
    /** Users after the name `after`, by name. */
    listAfter: (filter: ProgressSelection, after: string, limit: number) =>
      db.many(exportProgress(filter, after, limit)),
    async readStandings(
      users: readonly { user_id: number; zone: string }[],
      now: Date,
    ): Promise<Map<number, Standing>> {
      const rows = await db.many(
        readStandings(
          users.map((user) => user.user_id),
          users.map((user) => user.zone),
          now,
        ),
      );
      return new Map(
        rows.map(({ user_id, zone, studied, ...goals }) => [
          user_id,
          {
            current_streak: studyFigures(studied, zone).current_streak,
            ...goals,
            ...studyOf(studied),
          },
        ]),
      );
    },
  };
}
