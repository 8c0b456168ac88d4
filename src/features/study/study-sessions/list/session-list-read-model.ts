import type { Reader } from '../../../../actor.ts';
import type { Database } from '../../../../db/database.ts';
import { type KeepRows, readRows, type TakeRows } from '../../../../db/row-stream.ts';
import { pageByPeriods } from '../../../../db/sql/search.ts';
import { empty, join, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { query } from '../../../../db/sql/statement.ts';
import { unique } from '../../../../lib/unique.ts';
import { membersInScope } from '../../../accounts/admin-scope/admin-scope.ts';
import { isSelective } from '../../tags/tag-sql.ts';
import type { SessionFilter, SessionPageQuery } from '../session-schemas.ts';
import {
  elapsedSeconds,
  readerOf,
  type SessionRow,
  selectSession,
  sessionColumns,
  shownProjectName,
} from '../session-sql.ts';
import {
  conditionOf,
  countOf,
  every,
  firstOf,
  startOrders,
  visibleSessions,
  withAuthorsOnce,
} from './visible-sessions-sql.ts';

/** How to find a page: `source` contains at least its sessions, from the `offset` on; both use `matches`. */
type Selection = { matches: Sql; source: Sql; total: Sql; offset: Sql };

// Each part returns only what can be on the page, in index order: otherwise the planner may sort everything. If few
// sessions match, the index by time is unsuitable: they are collected first, then counted and sorted.
function select(reader: Reader, query: SessionPageQuery): Selection {
  const { page, limit, order, search, tag, running } = query;
  if (isWhole(reader, query)) return selectByDays(query);
  const parts = visibleSessions(reader, query);
  const offset = sql`OFFSET ${t.bigint((page - 1) * limit)}`;
  if (search !== '' || isSelective(tag) || running === true)
    return {
      matches: sql`matches AS MATERIALIZED (${every(parts)}),`,
      source: sql`matches`,
      total: sql`(SELECT count(*) FROM matches)`,
      offset,
    };
  const [matches, shared] = withAuthorsOnce(parts);
  const source = sql`(${firstOf(shared, order, t.bigint(page * limit))})`;
  return { matches, source, total: countOf(shared), offset };
}

/** Whether the list contains all sessions, except for a time range. */
function isWhole({ role }: Reader, { user_id, username, project_id, search, tag, running }: SessionFilter): boolean {
  const isNarrowed =
    [user_id, project_id].some((id) => id !== undefined) || [username, search, tag].some((text) => text !== '');
  return role === 'admin' && !isNarrowed && running !== true;
}

/** The stored counts determine the days of the page; the first and last day are counted within the range. */
function selectByDays(query: SessionPageQuery): Selection {
  const from = t.timestamptz(query.from ?? '-infinity');
  const to = t.timestamptz(query.to ?? 'infinity');
  const finished = (row: Sql) => (query.running === undefined ? sql`true` : row);
  const within = sql`s.started_at >= b.opens AND s.started_at < b.closes AND ${finished(sql`s.ended_at IS NOT NULL`)}`;
  const counts = sql`
    SELECT b.opens, b.closes,
      CASE WHEN b.is_whole THEN b.total ELSE (SELECT count(*) FROM study_sessions s WHERE ${within}) END AS total
    FROM (
      SELECT greatest(d.opens, ${from}) AS opens, least(d.closes, ${to}) AS closes, d.total,
        d.opens >= ${from} AND d.closes <= ${to} AS is_whole
      FROM (
        SELECT c.day::timestamp AT TIME ZONE 'UTC' AS opens, (c.day + 1)::timestamp AT TIME ZONE 'UTC' AS closes,
          sum(c.total)::bigint AS total
        FROM session_counts c WHERE ${finished(sql`NOT c.running`)} GROUP BY c.day) AS d
      WHERE d.closes > ${from} AND d.opens < ${to}) AS b`;
  const rows = sql`SELECT s.id, s.started_at FROM study_sessions s WHERE ${within} ORDER BY ${startOrders[query.order]}`;
  const { matches, page, total } = pageByPeriods(counts, rows, query);
  return { matches, source: sql`(${page})`, total, offset: empty };
}

const listSessions = query(
  'list_sessions',
  { total: t.bigint, ...sessionColumns },
  (reader: Reader, query: SessionPageQuery, now: Date) => {
    const { matches, source, total, offset } = select(reader, query);
    const order = startOrders[query.order];
    const shown = { seconds: elapsedSeconds(t.timestamptz(now)), projectName: shownProjectName(readerOf(reader)) };
    return sql`
      WITH ${matches} page AS MATERIALIZED (
        SELECT s.id FROM ${source} AS s
        ORDER BY ${order} LIMIT ${t.bigint(query.limit)} ${offset})
      SELECT ${total} AS total, ${selectSession(shown)}
      FROM page JOIN study_sessions s ON s.id = page.id JOIN projects p ON p.id = s.project_id
      ORDER BY ${order}`;
  },
);

const countSessions = query('count_sessions', { total: t.bigint }, (reader: Reader, query: SessionPageQuery) => {
  const { matches, total } = select(reader, query);
  return sql`WITH ${matches} one AS (VALUES (1)) SELECT ${total} AS total`;
});

const exportSessions = query('export_sessions', sessionColumns, (reader: Reader, filter: SessionFilter) => {
  const parts = visibleSessions(reader, filter);
  const union = parts.map(
    (part) => sql`SELECT s.* FROM study_sessions s WHERE ${conditionOf(part)} AND s.ended_at IS NOT NULL`,
  );
  return sql`
    SELECT ${selectSession({ projectName: shownProjectName(readerOf(reader)) })}
    FROM (${join(union, sql` UNION ALL `)}) AS s JOIN projects p ON p.id = s.project_id
    ORDER BY ${startOrders[filter.order]}`;
});

const inScope =
  (reader: Reader): KeepRows<SessionRow> =>
  async (db, rows) => {
    const seen = new Set(await membersInScope(db, reader, unique(rows.map((row) => row.user_id))));
    return rows.filter(({ user_id }) => user_id === reader.id || seen.has(user_id));
  };

export type SessionPage = { total: number; sessions: SessionRow[] };

export function createSessionListReadModel(database: Database) {
  return {
    async read(reader: Reader, query: SessionPageQuery, now: Date): Promise<SessionPage> {
      const rows = await database.many(listSessions(reader, query, now));
      const sessions = rows.map(({ total, ...session }) => session);
      if (rows[0] !== undefined) return { total: rows[0].total, sessions };
      const { total } = query.page === 1 ? { total: 0 } : await database.one(countSessions(reader, query));
      return { total, sessions };
    },

    /** Records of a student who is taken away from a limited administrator meanwhile are left out from then on. */
    export: (reader: Reader, filter: SessionFilter, take: TakeRows<SessionRow>): Promise<void> =>
      readRows(
        database,
        exportSessions(reader, filter),
        take,
        reader.role === 'class_admin' ? inScope(reader) : undefined,
      ),
  };
}

export type SessionListReadModel = ReturnType<typeof createSessionListReadModel>;
