import type { Reader } from '../../../../actor.ts';
import type { Database, Executor } from '../../../../db/database.ts';
import { unpagedRows } from '../../../../db/row-stream.ts';
import { containsByPairs } from '../../../../db/sql/search.ts';
import { constant, empty, leftJoined, matched, type RowOf, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { query } from '../../../../db/sql/statement.ts';
import { many } from '../../../../db/statements.ts';
import { createBatch } from '../../../../lib/batch.ts';
import { type Dependencies, listVersion } from '../../../../list-cache/list-cache.ts';
import { UnavailableError } from '../../../../texts/errors.ts';
import { studentsInScope } from '../../../../transactions/scope-sql.ts';
import { isMember } from '../../../accounts/users/user-repository.ts';
import {
  assignedProjects,
  manageableBy,
  ownPart,
  ownProjects,
  type ProjectRow,
  projectColumns,
  type SqlReader,
  selectProject,
  sqlReader,
  wasOnlyInScope,
} from '../../project-access/project-sql.ts';
import type { AssignableUsersQuery } from '../project-schemas.ts';
import {
  type ListQuery,
  merged,
  type Order,
  orderBy,
  type Selection,
  selectFromAll,
  selectFromVisible,
} from './project-list-sql.ts';

/** One page, the total, and what the page depends on, from one snapshot. */
export type ProjectListPage = { projects: ProjectRow[]; total: number; dependsOn: Dependencies };

const pageColumns = { total: t.bigint, list: t.text, ...leftJoined(projectColumns) };
type PageRow = RowOf<typeof pageColumns>;

// The ids of the page are found first, in the smallest suitable index; then their rows are read. Subqueries hide limit and offset
// from the planner, which would otherwise plan again for each value; the constant limit tells it that there are few rows.
function selectPage({ matches, page, total }: Selection, reader: SqlReader, order: Order, range: Sql): Sql {
  return sql`
    WITH ${matches} page AS MATERIALIZED (
      SELECT id, key FROM (${page} ${orderBy(sql`key`, sql`id`, order)} ${range}) AS page LIMIT 100)
    SELECT ${total} AS total, (SELECT ${listVersion(reader.isLimited ?? reader.isAdmin, reader.id)}) AS list, ${selectProject(reader)}
    FROM (VALUES (1)) AS always LEFT JOIN (page JOIN projects p ON p.id = page.id ${ownPart(reader)}) ON true
    ${orderBy(sql`page.key`, sql`page.id`, order)}`;
}

const readPage = many('list_projects', pageColumns, (reader: Reader, query: ListQuery) => {
  const selection = reader.role === 'admin' ? selectFromAll(reader, query) : selectFromVisible(reader, query);
  const offset = selection.starts ? empty : sql`OFFSET (SELECT ${t.bigint((query.page - 1) * query.limit)})`;
  const range = sql`LIMIT (SELECT ${t.bigint(query.limit)}) ${offset}`;
  return selectPage(selection, sqlReader(reader), query, range);
});

type FirstPage = { readerId: number; limit: number };
const newestFirst = { sort: 'created_at', order: 'desc' } as const;
const requester = { id: sql`r.reader_id`, isAdmin: sql`false` };
const firstPage = constant(
  selectPage(
    merged([ownProjects(requester.id), assignedProjects(requester.id)], newestFirst),
    requester,
    newestFirst,
    sql`LIMIT (SELECT r.size)`,
  ),
);

// Subqueries hide the arrays, as the limit above.
const readFirstPages = many(
  'list_first_projects',
  { position: t.bigint, ...pageColumns },
  (requests: readonly FirstPage[]) => sql`
    SELECT r.position, page.*
    FROM unnest((SELECT ${t.bigints(requests.map(({ readerId }) => readerId))}),
      (SELECT ${t.bigints(requests.map(({ limit }) => limit))})) WITH ORDINALITY AS r (reader_id, size, position)
    CROSS JOIN LATERAL (${firstPage} OFFSET 0) AS page
    ORDER BY r.position, page.created_at DESC, page.id DESC`,
);

/** Whether it is what most requests of ordinary users are for: the newest projects that they see. */
function isFirstPage({ role }: Reader, query: ListQuery): boolean {
  const { page, limit, status, category, creator, state, search, sort, order } = query;
  const all = status === 'all' && category === 'all' && creator === 'all' && state === 'all' && search === undefined;
  return role === 'user' && page === 1 && limit <= 20 && all && sort === 'created_at' && order === 'desc';
}

const trashColumns = { ...projectColumns, deleted_at: t.timestamptz };
export type TrashRow = RowOf<typeof trashColumns>;

const readTrash = query(
  'list_trash',
  { total: t.bigint, ...leftJoined(trashColumns) },
  (reader: Reader, page: number, limit: number) => sql`
    WITH trash AS MATERIALIZED (
      SELECT p.id, p.deleted_at FROM projects p WHERE p.deleted_at IS NOT NULL AND (${manageableBy(reader)} OR ${wasOnlyInScope(reader)})),
    page AS (
      SELECT t.id FROM trash t ORDER BY t.deleted_at DESC, t.id DESC
      LIMIT ${t.bigint(limit)} OFFSET ${t.bigint((page - 1) * limit)})
    SELECT (SELECT count(*) FROM trash) AS total, p.deleted_at, ${selectProject(reader)}
    FROM (VALUES (1)) AS always LEFT JOIN (page JOIN projects p ON p.id = page.id ${ownPart(reader)}) ON true
    ORDER BY p.deleted_at DESC, p.id DESC`,
);

function toPage(rows: readonly PageRow[]): ProjectListPage {
  const projects = rows.flatMap((row) => matched(projectColumns, row) ?? []);
  const rowVersions = projects.reduce((sum, { row_version }) => sum + row_version, 0);
  const cacheVersion = { list: rows[0]?.list ?? '', rows: rowVersions };
  return {
    projects,
    total: rows[0]?.total ?? 0,
    dependsOn: { projectIds: projects.map(({ id }) => id), cacheVersion },
  };
}

export function createProjectListReadModel(db: Executor) {
  const readFirst = createBatch(
    async (requests: readonly FirstPage[]) => {
      const pages = requests.map((): PageRow[] => []);
      for (const { position, ...row } of await readFirstPages(db, requests)) pages[position - 1]?.push(row);
      return pages;
    },
    { isShared: (error) => error instanceof UnavailableError },
  );

  return {
    /** First pages that are requested together are read together. */
    read: async (reader: Reader, query: ListQuery): Promise<ProjectListPage> =>
      toPage(
        isFirstPage(reader, query)
          ? await readFirst({ readerId: reader.id, limit: query.limit })
          : await readPage(db, reader, query),
      ),

    async readTrash(reader: Reader, page: number, limit: number): Promise<{ projects: TrashRow[]; total: number }> {
      const rows = await db.many(readTrash(reader, page, limit));
      return { projects: rows.flatMap((row) => matched(trashColumns, row) ?? []), total: rows[0]?.total ?? 0 };
    },
  };
}

export type ProjectListReadModel = ReturnType<typeof createProjectListReadModel>;

const columns = {
  id: t.bigint,
  username: t.text,
  display_name: t.text,
  email: t.text,
  status: t.oneOf(['active']),
};

// With a filter, few users match: sorting their names is cheaper than walking the index of all names.
function select({ id, role }: Reader, { search, group_id }: AssignableUsersQuery): Sql {
  const isLimited = role === 'class_admin';
  const isFiltered = search !== undefined || group_id !== undefined || isLimited;
  return sql`
    WITH found AS ${isFiltered ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (
      SELECT u.id, u.username, u.display_name, u.email, u.status FROM users u
      WHERE u.role = 'user' AND u.status = 'active'
        ${isLimited ? sql`AND u.id IN (${studentsInScope(t.bigint(id))})` : empty}
        ${search === undefined ? empty : sql`AND ${containsByPairs(search, sql`u.search_text`)}`}
        ${group_id === undefined ? empty : sql`AND ${isMember(sql`u.id`, group_id)}`})
    SELECT f.id, f.username, f.display_name, f.email, f.status FROM found f ORDER BY lower(f.username)`;
}

const listAssignable = query(
  'list_assignable_users',
  columns,
  (reader: Reader, filter: AssignableUsersQuery, limit: number | null) =>
    sql`${select(reader, filter)} LIMIT ${t.bigint(limit)}`,
);

export const createAssignableReadModel = (database: Database) => ({
  users: (reader: Reader, filter: AssignableUsersQuery) =>
    unpagedRows(database, (limit) => listAssignable(reader, filter, limit)),
});

export type AssignableReadModel = ReturnType<typeof createAssignableReadModel>;
