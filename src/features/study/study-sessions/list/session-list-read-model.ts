import type { Reader } from '../../../../actor.ts';
import type { Database } from '../../../../db/database.ts';
import { type KeepRows, readRows, type TakeRows } from '../../../../db/row-stream.ts';
import { pageByPeriods } from '../../../../db/sql/search.ts';
import { empty, join, type RowOf, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { query } from '../../../../db/sql/statement.ts';
import { many, one } from '../../../../db/statements.ts';
import { membersInScope } from '../../../accounts/admin-scope/admin-scope.ts';
import { isSelective } from '../../tags/tag-sql.ts';
import { maxCounted, type SessionFilter, type SessionPageQuery } from '../session-schemas.ts';
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
  isAmongAll,
  type Part,
  startOrders,
  startsWithin,
  visibleSessions,
  withAuthorsOnce,
} from './visible-sessions-sql.ts';

/**
 * How to find a page: `source` contains at least its sessions, from the `offset` on; both use `matches`. `isMinimum`: whether there are
 * more than the total.
 */
type Selection = { matches: Sql; source: Sql; total: Sql; isMinimum?: Sql; offset: Sql };

/** So many sessions are read for the first ones with a frequent word, before all with the word are. */
const readForFrequent = 20_000;

// Each part returns only what can be on the page, in index order: otherwise the planner may sort everything. If few
// sessions match, the index by time is unsuitable: they are collected first, then counted and sorted.
function select(reader: Reader, query: SessionPageQuery): Selection {
  const { page, limit, order, search, tag, running } = query;
  if (isWhole(reader, query)) return selectByDays(query);
  const parts = visibleSessions(reader, query);
  const offset = sql`OFFSET ${t.bigint((page - 1) * limit)}`;
  if (search !== '' && isAmongAll(reader, query)) return { ...selectByWord(parts, query), offset };
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
function isWhole(reader: Reader, { search, tag, running, ...filter }: SessionFilter): boolean {
  return isAmongAll(reader, filter) && search === '' && tag === '' && running !== true;
}

/**
 * The sessions counted are not the first of a frequent word. Those are most often among the first of all sessions; if not, all with the
 * word are read.
 */
function selectByWord(parts: readonly Part[], query: SessionPageQuery): Omit<Selection, 'offset'> {
  const order = startOrders[query.order];
  const number = t.bigint(query.page * query.limit);
  const isFrequent = sql`(SELECT count(*) > ${t.bigint(maxCounted)} FROM counted)`;
  const found = every(parts);
  return {
    matches: sql`
      counted AS MATERIALIZED (${found} LIMIT ${t.bigint(maxCounted + 1)}),
      early AS MATERIALIZED (
        SELECT s.id, s.started_at FROM (
          SELECT s.* FROM study_sessions s WHERE ${join([sql`true`, ...startsWithin(query)], sql` AND `)}
          ORDER BY ${order} LIMIT ${t.bigint(readForFrequent)}) AS s
        WHERE ${isFrequent} AND ${join(parts.map(conditionOf), sql` OR `)}
        ORDER BY ${order} LIMIT ${number}),
      others AS MATERIALIZED (
        SELECT s.* FROM (${found}) AS s WHERE ${isFrequent} AND (SELECT count(*) FROM early) < ${number}),`,
    source: sql`(SELECT c.* FROM counted c UNION SELECT e.* FROM early e UNION SELECT o.* FROM others o)`,
    total: sql`(SELECT least(count(*), ${t.bigint(maxCounted)}) FROM counted)`,
    isMinimum: isFrequent,
  };
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

const totals = { total: t.bigint, is_minimum: t.boolean };
const none = { total: 0, is_minimum: false };

const listSessions = many(
  'list_sessions',
  { ...totals, ...sessionColumns },
  (reader: Reader, query: SessionPageQuery, now: Date) => {
    const { matches, source, total, isMinimum = sql`false`, offset } = select(reader, query);
    const order = startOrders[query.order];
    const shown = { seconds: elapsedSeconds(t.timestamptz(now)), projectName: shownProjectName(readerOf(reader)) };
    return sql`
      WITH ${matches} page AS MATERIALIZED (
        SELECT s.id FROM ${source} AS s
        ORDER BY ${order} LIMIT ${t.bigint(query.limit)} ${offset})
      SELECT ${total} AS total, ${isMinimum} AS is_minimum, ${selectSession(shown)}
      FROM page JOIN study_sessions s ON s.id = page.id JOIN projects p ON p.id = s.project_id
      ORDER BY ${order}`;
  },
);

const countSessions = one('count_sessions', totals, (reader: Reader, query: SessionPageQuery) => {
  const { matches, total, isMinimum = sql`false` } = select(reader, query);
  return sql`WITH ${matches} one AS (VALUES (1)) SELECT ${total} AS total, ${isMinimum} AS is_minimum`;
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
    const seen = new Set(await membersInScope(db, reader, [...new Set(rows.map((row) => row.user_id))]));
    return rows.filter(({ user_id }) => user_id === reader.id || seen.has(user_id));
  };

export type SessionPage = RowOf<typeof totals> & { sessions: SessionRow[] };

export function createSessionListReadModel(database: Database) {
  return {
    async read(reader: Reader, query: SessionPageQuery, now: Date): Promise<SessionPage> {
      const rows = await listSessions(database, reader, query, now);
      const sessions = rows.map(({ total: _total, is_minimum: _isMinimum, ...session }) => session);
      const found = rows[0] ?? (query.page === 1 ? none : await countSessions(database, reader, query));
      return { total: found.total, is_minimum: found.is_minimum, sessions };
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
