import { type Executor, type Statement, sql, type Value } from '../../db/database.ts';
import { stateOfDatabase } from '../../db/snapshot.ts';
import type { Actor, Stamp } from '../auth/identity.ts';
import { closeJson, isoFormat, joinAssigned, projectJson } from './project-json.ts';
import type { ListProjectsQuery } from './project-schemas.ts';

/** One page: the projects as JSON text, how many there are in all, and the stamps of that very snapshot. */
export type ProjectListPage = { json: string; total: number; ids: number[]; stamp: Stamp };

type Row = { json: string; total: number; ids: number[]; list: string; rows: number };

const known = new Map<string, Statement>();

/** The prepared statement of a text: there are as many as combinations of filters and sorts. */
function prepared(text: string): Statement {
  const statement = known.get(text) ?? sql(text);
  known.set(text, statement);
  return statement;
}

/**
 * The list of projects. The ids of the page are found first, from the smallest index that serves, and only then are
 * the rows read and written as JSON. Three ways to find them:
 * - in creation order without filters, a user's page is a merge of two index scans, own and assigned;
 * - without search or creator, an administrator's total comes from the kept counts and the page from an index;
 * - everything else gathers all matches once and takes total and page from them.
 */
export function createProjectListReadModel(db: Executor) {
  return {
    async read(actor: Actor, query: ListProjectsQuery): Promise<ProjectListPage> {
      const { text, values } = listStatement(actor, query);
      const [row] = await db.rows<Row>(prepared(text), values);
      if (row === undefined) throw new Error('the list statement always answers one row');
      const { json, total, ids, list, rows } = row;
      return { json, total, ids, stamp: { list, rows } };
    },

    async readTrash(actor: Actor, page: number, limit: number): Promise<{ json: string; total: number }> {
      const owner = actor.role === 'admin' ? null : actor.id;
      const [row] = await db.rows<{ json: string; total: number }>(readTrash, [
        actor.id,
        owner,
        limit,
        (page - 1) * limit,
      ]);
      return row ?? { json: '[]', total: 0 };
    },
  };
}

const readTrash = sql(`
  WITH trash AS MATERIALIZED (
    SELECT p.id, p.deleted_at FROM projects p
    WHERE p.deleted_at IS NOT NULL AND ($2::bigint IS NULL OR p.user_id = $2))
  SELECT (SELECT count(*) FROM trash) AS total, concat('[', string_agg(line.json, ',' ORDER BY line.deleted_at DESC, line.id DESC), ']') AS json
  FROM (
    SELECT p.id, p.deleted_at, concat(${projectJson}, ',"deleted_at":"', to_char(p.deleted_at, '${isoFormat}'), '"', ${closeJson}) AS json
    FROM (SELECT t.id FROM trash t ORDER BY t.deleted_at DESC, t.id DESC LIMIT $3 OFFSET $4) AS page
    JOIN projects p ON p.id = page.id
    ${joinAssigned('$1::bigint', 'true')}
  ) AS line`);

/** LIKE without its wildcards: the search is for the text as it stands. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}

function listStatement(actor: Actor, query: ListProjectsQuery): { text: string; values: Value[] } {
  const values: Value[] = [actor.id, query.limit, (query.page - 1) * query.limit];
  const isAdmin = actor.role === 'admin';
  const parameter = (value: Value) => `$${values.push(value)}`;
  const found = isAdmin ? findAll(actor, query, parameter) : findVisible(actor, query, parameter);
  const order = `${query.order === 'asc' ? 'ASC' : 'DESC'}`;
  const text = `
    WITH ${found.matches}
    page AS MATERIALIZED (
      ${found.page} ORDER BY key ${order}, id ${order} LIMIT $2 OFFSET $3)
    SELECT ${found.total} AS total,
      ${isAdmin ? stateOfDatabase : '(SELECT v.version::text FROM user_list_versions v WHERE v.user_id = $1::bigint)'} AS list,
      coalesce(sum(line.row_version), 0)::bigint AS rows,
      coalesce(array_agg(line.id), '{}') AS ids,
      concat('[', string_agg(line.json, ',' ORDER BY line.key ${order}, line.id ${order}), ']') AS json
    FROM (
      SELECT p.id, page.key, p.row_version, concat(${projectJson}, ${closeJson}) AS json
      FROM page JOIN projects p ON p.id = page.id
      ${joinAssigned('$1::bigint', isAdmin ? 'true' : 'false')}
    ) AS line`;
  return { text, values };
}

type Found = { matches: string; page: string; total: string };
type Parameter = (value: Value) => string;

function findAll(actor: Actor, query: ListProjectsQuery, parameter: Parameter): Found {
  const status = query.status === 'all' ? undefined : parameter(query.status);
  const category = query.category === 'all' ? undefined : parameter(query.category);
  const creator = creatorId(actor, query);
  const filters = ['p.deleted_at IS NULL', ...equals('p.status', status), ...equals('p.category', category)];
  if (creator === undefined && query.search === undefined) {
    const counted = [...equals('c.status', status), ...equals('c.category', category)];
    const where = counted.length > 0 ? ` WHERE ${counted.join(' AND ')}` : '';
    return {
      matches: '',
      page: `SELECT p.id, p.${query.sort} AS key FROM projects p WHERE ${filters.join(' AND ')}`,
      total: `(SELECT coalesce(sum(c.total), 0)::bigint FROM project_counts c${where})`,
    };
  }
  if (creator !== undefined) filters.push(`p.user_id = ${parameter(creator)}::bigint`);
  if (query.search === undefined) {
    return allMatches(`SELECT p.id, p.${query.sort} AS key FROM projects p WHERE ${filters.join(' AND ')}`);
  }
  const contains = indexedSearch(query.search, parameter);
  if (filters.length === 1 && query.sort === 'created_at') {
    return allMatches(`SELECT s.project_id AS id, s.created_at AS key FROM project_search s WHERE ${contains}`);
  }
  return allMatches(`
    SELECT p.id, p.${query.sort} AS key FROM project_search s JOIN projects p ON p.id = s.project_id
    WHERE ${contains} AND ${filters.join(' AND ')}`);
}

function findVisible(actor: Actor, query: ListProjectsQuery, parameter: Parameter): Found {
  const creator = creatorId(actor, query);
  const own = `SELECT p.id, p.created_at AS key FROM projects p WHERE p.user_id = $1::bigint AND p.deleted_at IS NULL`;
  // Assignments of trashed projects do not exist, and the owner is left to the first half: no project comes twice.
  const assigned = `SELECT a.project_id AS id, a.project_created_at AS key FROM project_assignments a
    WHERE a.user_id = $1::bigint AND a.owner_id <> $1::bigint`;
  const halves =
    creator === undefined
      ? [own, assigned]
      : creator === actor.id
        ? [own]
        : [`${assigned} AND a.owner_id = ${parameter(creator)}::bigint`];
  const filters = [
    ...equals('p.status', query.status === 'all' ? undefined : parameter(query.status)),
    ...equals('p.category', query.category === 'all' ? undefined : parameter(query.category)),
  ];
  // Compared with each visible one: its text lies there in small letters, which is several times cheaper than ILIKE.
  const texts = query.search === undefined ? '' : 'JOIN project_search s ON s.project_id = p.id';
  if (query.search !== undefined) filters.push(contains(query.search, parameter));
  if (filters.length === 0 && query.sort === 'created_at') {
    const order = query.order === 'asc' ? 'ASC' : 'DESC';
    return {
      matches: '',
      page: `SELECT id, key FROM (${halves.map((half) => `(${half} ORDER BY key ${order}, id ${order})`).join(' UNION ALL ')}) AS visible`,
      total: `(${halves.map((half) => `(SELECT count(*) FROM (${half}) AS half)`).join(' + ')})`,
    };
  }
  return allMatches(`
    SELECT p.id, p.${query.sort} AS key FROM (${halves.join(' UNION ALL ')}) AS visible
    JOIN projects p ON p.id = visible.id ${texts}${filters.length > 0 ? ` WHERE ${filters.join(' AND ')}` : ''}`);
}

function allMatches(select: string): Found {
  return {
    matches: `matches AS MATERIALIZED (${select}),`,
    page: 'SELECT id, key FROM matches',
    total: '(SELECT count(*) FROM matches)',
  };
}

function equals(column: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${column} = ${value}`];
}

function creatorId(actor: Actor, query: ListProjectsQuery): number | undefined {
  if (query.creator === 'all') return undefined;
  return query.creator === 'me' ? actor.id : query.creator;
}

/** Two characters are a pair of the index, so it alone answers; more are looked up by their pairs and then compared. */
function indexedSearch(search: string, parameter: Parameter): string {
  const length = [...search].length;
  if (length < 2) return contains(search, parameter);
  const pairs = `character_pairs(s.content) @> character_pairs(${parameter(search)}::text)`;
  return length === 2 ? pairs : `${pairs} AND ${contains(search, parameter)}`;
}

function contains(search: string, parameter: Parameter): string {
  return `s.content LIKE lower(${parameter(likePattern(search))})`;
}
