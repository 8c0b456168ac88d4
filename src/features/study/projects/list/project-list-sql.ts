import type { Reader } from '../../../../actor.ts';
import { contains, containsByPairs, pageByPeriods } from '../../../../db/sql/search.ts';
import { empty, join, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { studentsInScope } from '../../../../transactions/scope-sql.ts';
import { type Calendar, calendarParameters, todayOf } from '../../calendar/study-days.ts';
import { joinGoal } from '../../goals/goal-sql.ts';
import {
  assignedProjects,
  isAssigned,
  ownPart,
  ownProjects,
  scopedProjects,
} from '../../project-access/project-sql.ts';
import type { ListProjectsQuery } from '../project-schemas.ts';

/**
 * SQL: how to find the projects of a list. `matches` are the common table expressions before `page`; `page` selects
 * `id` and the sort `key`. The caller adds order and limit, and the offset unless `starts` is set.
 */
export type Selection = { matches: Sql; page: Sql; total: Sql; starts?: true };

/** A query, with the calendar of the reader. */
export type ListQuery = ListProjectsQuery & { calendar: Calendar };

const sortKeys: Record<ListProjectsQuery['sort'], Sql> = {
  id: sql`p.id`,
  name: sql`p.name`,
  status: sql`p.status`,
  category: sql`p.category`,
  rating_standard: sql`p.rating_standard`,
  target_hours: sql`p.target_hours`,
  current_hours: sql`p.current_hours`,
  progress: sql`p.progress`,
  due_date: sql`p.due_date`,
  own_hours: sql`coalesce(own.hours, 0)`,
  own_last_session: sql`own.last_session`,
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
};

const mayBeNull: ReadonlySet<ListProjectsQuery['sort']> = new Set(['due_date', 'own_last_session']);

export type Order = Pick<ListProjectsQuery, 'sort' | 'order'>;

/** SQL: the order of a list by the given expressions of sort key and id. */
export function orderBy(key: Sql, id: Sql, { sort, order }: Order): Sql {
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const nulls = mayBeNull.has(sort) ? sql` NULLS LAST` : empty;
  return sql`ORDER BY ${key} ${direction}${nulls}, ${id} ${direction}`;
}

function joinSorted(reader: Reader, { sort }: ListProjectsQuery): Sql {
  return sort === 'own_hours' || sort === 'own_last_session' ? ownPart(reader) : empty;
}

/** SQL: joins the goal of each project on the reader's current day, and filters by its state. */
function inState(reader: Reader, { state, calendar }: ListQuery): { join: Sql; filters: Sql[] } {
  if (state === 'all') return { join: empty, filters: [] };
  const parameters = calendarParameters(calendar);
  const isOpen = sql`p.status = 'active'`;
  const isDue = sql`${isOpen} AND p.due_date IS NOT NULL`;
  return {
    join: sql`CROSS JOIN (${todayOf(parameters)} OFFSET 0) AS today
      ${joinGoal(t.bigint(reader.id), parameters)}`,
    filters: [
      ...(['ahead', 'slowing', 'overdue'].includes(state) ? [isDue] : []),
      ...(['not_started', 'behind', 'on_track'].includes(state) ? [isOpen] : []),
      sql`goal.state = ${t.text(state)}`,
    ],
  };
}

/** For administrators: all projects. */
export function selectFromAll(reader: Reader, query: ListQuery): Selection {
  const creator = creatorId(reader, query);
  const goal = inState(reader, query);
  const filters = [...statusAndCategory(query, sql`p`), ...assignment(query), ...goal.filters];
  const select = (source: Sql, found: readonly Sql[] = []) => sql`
    SELECT p.id, ${sortKeys[query.sort]} AS key FROM ${source} ${joinSorted(reader, query)} ${goal.join}
    WHERE ${all([...found, sql`p.deleted_at IS NULL`, ...filters])}`;
  const isFiltered = query.search !== undefined || query.assigned_user_id !== undefined || query.state !== 'all';
  if (creator === undefined && !isFiltered) {
    if (query.assigned !== 'none' && query.sort === 'created_at') return selectByMonths(query);
    // The total comes from stored counts or from an index, the page from an index.
    const total =
      query.assigned === 'none'
        ? sql`(SELECT count(*) FROM projects p WHERE ${all([sql`p.deleted_at IS NULL`, ...filters])})`
        : sql`(SELECT coalesce(sum(c.total), 0)::bigint FROM project_counts c ${where(statusAndCategory(query, sql`c`))})`;
    return { matches: empty, page: select(sql`projects p`), total };
  }
  if (creator !== undefined) filters.push(sql`p.user_id = ${t.bigint(creator)}`);
  if (query.search === undefined) return allMatches(select(sql`projects p`));
  const found = containsByPairs(query.search, sql`s.content`);
  if (filters.length === 0 && query.sort === 'created_at')
    return allMatches(sql`SELECT s.project_id AS id, s.created_at AS key FROM project_search s WHERE ${found}`);
  return allMatches(select(sql`project_search s JOIN projects p ON p.id = s.project_id`, [found]));
}

/** The stored counts determine the months of the page. */
function selectByMonths(query: ListQuery): Selection {
  const counts = sql`
    SELECT c.month::timestamp AT TIME ZONE 'UTC' AS opens, (c.month + interval '1 month') AT TIME ZONE 'UTC' AS closes,
      sum(c.total)::bigint AS total
    FROM project_counts c ${where(statusAndCategory(query, sql`c`))} GROUP BY c.month`;
  const filters = [sql`p.deleted_at IS NULL`, ...statusAndCategory(query, sql`p`)];
  const rows = sql`
    SELECT p.id, p.created_at AS key FROM projects p
    WHERE ${all(filters)} AND p.created_at >= b.opens AND p.created_at < b.closes
    ${orderBy(sql`p.created_at`, sql`p.id`, query)}`;
  return { ...pageByPeriods(counts, rows, query), starts: true };
}

/** For others: own and assigned projects. */
export function selectFromVisible(reader: Reader, query: ListQuery): Selection {
  const creator = creatorId(reader, query);
  const userId = t.bigint(reader.id);
  const own = ownProjects(userId);
  const assigned = reader.role === 'class_admin' ? scopedProjects(userId) : assignedProjects(userId);
  const parts =
    creator === undefined
      ? [own, assigned]
      : creator === reader.id
        ? [own]
        : [sql`${assigned} AND a.owner_id = ${t.bigint(creator)}`];
  const goal = inState(reader, query);
  const filters = [...statusAndCategory(query, sql`p`), ...assignment(query), ...goal.filters];
  if (query.assigned_user_id !== undefined) filters.push(isSeen(reader, query.assigned_user_id));
  if (filters.length === 0 && query.search === undefined && query.sort === 'created_at') return merged(parts, query);
  // The search text is compared for each visible project.
  const texts = query.search === undefined ? empty : sql`JOIN project_search s ON s.project_id = p.id`;
  if (query.search !== undefined) filters.push(contains(query.search, sql`s.content`));
  return allMatches(sql`
    SELECT p.id, ${sortKeys[query.sort]} AS key FROM (${join(parts, sql` UNION ALL `)}) AS visible
    JOIN projects p ON p.id = visible.id ${texts} ${joinSorted(reader, query)} ${goal.join} ${where(filters)}`);
}

/** SQL: selections of projects by `created_at`, as a merge of index scans. */
export function merged(parts: readonly Sql[], order: Order): Selection {
  const sorted = parts.map((part) => sql`(${part} ${orderBy(sql`created_at`, sql`id`, order)})`);
  const counts = parts.map((part) => sql`(SELECT count(*) FROM (${part}) AS part)`);
  return {
    matches: empty,
    page: sql`SELECT id, created_at AS key FROM (${join(sorted, sql` UNION ALL `)}) AS visible`,
    total: sql`(${join(counts, sql` + `)})`,
  };
}

/** Collects the matches once, for both total and page. */
function allMatches(select: Sql): Selection {
  return {
    matches: sql`matches AS MATERIALIZED (${select}),`,
    page: sql`SELECT id, key FROM matches`,
    total: sql`(SELECT count(*) FROM matches)`,
  };
}

const all = (conditions: readonly Sql[]): Sql => join(conditions, sql` AND `);
const where = (conditions: readonly Sql[]): Sql => (conditions.length === 0 ? empty : sql`WHERE ${all(conditions)}`);

function statusAndCategory({ status, category }: ListProjectsQuery, table: Sql): Sql[] {
  return [
    ...(status === 'all' ? [] : [sql`${table}.status = ${t.text(status)}`]),
    ...(category === 'all' ? [] : [sql`${table}.category = ${t.text(category)}`]),
  ];
}

/** SQL: whether the user is a student of the limited administrator. */
const isSeen = ({ id }: Reader, userId: number): Sql =>
  sql`${t.bigint(userId)} IN (${studentsInScope(t.bigint(id), { active: false })})`;

function assignment({ assigned, assigned_user_id: userId }: ListProjectsQuery): Sql[] {
  return [
    ...(assigned === 'none' ? [sql`NOT p.is_assigned`] : []),
    ...(userId === undefined ? [] : [isAssigned(t.bigint(userId))]),
  ];
}

function creatorId(reader: Reader, { creator }: ListProjectsQuery): number | undefined {
  if (creator === 'all') return undefined;
  return creator === 'me' ? reader.id : creator;
}
