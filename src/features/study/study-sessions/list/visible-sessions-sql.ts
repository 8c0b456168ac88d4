import type { Reader } from '../../../../actor.ts';
import { contains, containsByPairs, searchForm, searchLength } from '../../../../db/sql/search.ts';
import { empty, type Interpolation, join, type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { studentsInScope } from '../../../../transactions/scope-sql.ts';
import { hasTag } from '../../tags/tag-sql.ts';
import type { SessionFilter } from '../session-schemas.ts';

const and = sql` AND `;
/** By start, the order of lists of sessions `s`. */
export const startOrders = { asc: sql`s.started_at ASC, s.id ASC`, desc: sql`s.started_at DESC, s.id DESC` };
const idOf = (username: string): Sql =>
  sql`(SELECT u.id FROM users u WHERE lower(u.username) = lower(${t.text(username)}))`;

const ownerOf = (projectId: number): Sql => sql`(SELECT p.user_id FROM projects p WHERE p.id = ${t.bigint(projectId)})`;

/**
 * SQL: whether the note of `s` contains the search. Among all sessions it is found by an index; single characters have their own,
 * since they are words in Chinese. The sessions of some users or of a project are compared: the index has those of everybody.
 */
function noteContains(search: string, amongAll: boolean): Sql {
  const note = searchForm(sql`s.note`);
  if (!amongAll) return sql`s.note <> '' AND ${contains(search, note)}`;
  const found =
    searchLength(search) === 1
      ? sql`string_to_array(${note}, NULL) @> ARRAY[${searchForm(t.text(search))}]`
      : containsByPairs(search, note);
  return sql`s.note <> '' AND ${found}`;
}

/** A condition on sessions `s`, if not all; `authors` selects the users whose sessions these are, if they are few of many. */
export type Part = { condition?: Sql; authors?: Sql };

export const conditionOf = ({ condition = sql`true`, authors }: Part): Sql =>
  authors === undefined ? condition : sql`s.user_id IN (${authors}) AND ${condition}`;

/** Whether the list is of the sessions of all users and projects. */
export const isAmongAll = (
  { role }: Reader,
  { user_id, username, project_id }: Pick<SessionFilter, 'user_id' | 'username' | 'project_id'>,
): boolean => role === 'admin' && user_id === undefined && username === '' && project_id === undefined;

/**
 * SQL: conditions on the start of a session `s`. Only given bounds become conditions: with optional ones, a generic plan would read
 * the whole index by time.
 */
export const startsWithin = ({ from, to }: Pick<SessionFilter, 'from' | 'to'>): Sql[] => [
  ...(from === undefined ? [] : [sql`s.started_at >= ${t.timestamptz(from)}`]),
  ...(to === undefined ? [] : [sql`s.started_at < ${t.timestamptz(to)}`]),
];

/**
 * SQL: the sessions `s` visible to a reader, as conditions of disjoint parts that can each use one index: own
 * sessions, and those of others on own projects or, for limited administrators, of their students; for a single project
 * all sessions for its owner, and own ones for others.
 */
export function visibleSessions(reader: Reader, filter: SessionFilter): Part[] {
  const { id, role } = reader;
  const { user_id: userId, username, project_id: projectId, search, tag, running } = filter;
  const filters = [
    ...startsWithin(filter),
    ...(projectId === undefined ? [] : [sql`s.project_id = ${t.bigint(projectId)}`]),
    ...(userId === undefined ? [] : [sql`s.user_id = ${t.bigint(userId)}`]),
    ...(username === '' ? [] : [sql`s.user_id = ${idOf(username)}`]),
    ...(search === '' ? [] : [noteContains(search, isAmongAll(reader, filter))]),
    ...(tag === '' ? [] : [hasTag(tag)]),
    ...(running === undefined ? [] : [running ? sql`s.ended_at IS NULL` : sql`s.ended_at IS NOT NULL`]),
  ];
  const all = filters.length === 0 ? {} : { condition: join(filters, and) };
  if (role === 'admin') return [all];
  const me = t.bigint(id);
  const own = userId === undefined || userId === id ? [sql`s.user_id = ${me}`] : [];
  if (role === 'class_admin')
    return [
      ...own.map((mine) => ({ condition: join([mine, ...filters], and) })),
      { ...all, authors: studentsInScope(me) },
    ];
  const ofOthers = userId === id ? [] : [sql`s.owner_id = ${me} AND s.owner_id <> s.user_id`];
  // The owner of the project is looked up once, not read from each row, so that an index-only scan is possible.
  const scopes =
    projectId === undefined
      ? [...own, ...ofOthers]
      : [...own.map((mine) => sql`${mine} AND ${ownerOf(projectId)} <> ${me}`), sql`${ownerOf(projectId)} = ${me}`];
  return scopes.map((scope) => ({ condition: join([scope, ...filters], and) }));
}

/** A common table expression with the authors of the parts and their totals, found once per statement, and the parts that use it. */
export function withAuthorsOnce(parts: readonly Part[]): [Sql, Part[]] {
  const authors = parts.find((part) => part.authors !== undefined)?.authors;
  if (authors === undefined) return [empty, [...parts]];
  const found = sql`SELECT f.user_id FROM found_authors f`;
  return [
    sql`found_authors AS MATERIALIZED (
      SELECT a.user_id, k.sessions_count, k.last_session_at
      FROM (SELECT DISTINCT b.user_id FROM (${authors}) AS b) AS a
      LEFT JOIN user_study_totals k ON k.user_id = a.user_id),`,
    parts.map((part) => (part.authors === undefined ? part : { ...part, authors: found })),
  ];
}

const count = (where: Sql): Sql => sql`(SELECT count(*) FROM study_sessions s WHERE ${where})`;

/** The number of sessions of the parts of `withAuthorsOnce`. Of all sessions of authors, finished ones are counted in their totals. */
export function countOf(parts: readonly Part[]): Sql {
  const counts = parts.map((part) => {
    const { condition, authors } = part;
    if (condition !== undefined || authors === undefined) return count(conditionOf(part));
    const finished = sql`SELECT sum(f.sessions_count) FROM found_authors f`;
    return sql`coalesce((${finished}), 0)::bigint + ${count(sql`s.user_id IN (${authors}) AND s.ended_at IS NULL`)}`;
  });
  return join(counts, sql` + `);
}

/** All sessions of the parts. */
export const every = (parts: readonly Part[]): Sql =>
  join(
    parts.map((part) => sql`SELECT s.id, s.started_at FROM study_sessions s WHERE ${conditionOf(part)}`),
    sql` UNION ALL `,
  );

/**
 * Of the found authors, those who can have one of the latest sessions, without looking for the last session of each: of the authors
 * who ended one last, each has a session from `bound` on, which makes so many. Those without a timer who ended their last
 * one before that have none among them.
 */
function latestAuthors(number: Interpolation): Sql {
  const lastStart = sql`SELECT s.started_at FROM study_sessions s WHERE s.user_id = f.user_id ORDER BY s.started_at DESC LIMIT 1`;
  const bound = sql`
    SELECT CASE WHEN count(f.started_at) = ${number} THEN min(f.started_at) ELSE '-infinity' END FROM (
      SELECT (${lastStart}) AS started_at FROM found_authors f
      WHERE f.last_session_at IS NOT NULL ORDER BY f.last_session_at DESC LIMIT ${number}) AS f`;
  return sql`
    SELECT f.user_id FROM found_authors f
    WHERE f.last_session_at > (${bound}) OR f.user_id IN (SELECT s.user_id FROM study_sessions s WHERE s.ended_at IS NULL)`;
}

/**
 * The first sessions of the parts of `withAuthorsOnce`, by their start. Of each author apart, they come from the index by user and
 * time, as those of all of them would not; only the authors of the first of these can have further ones among them.
 */
export function firstOf(parts: readonly Part[], direction: 'asc' | 'desc', number: Interpolation): Sql {
  const order = startOrders[direction];
  const first = (where: Sql, limit: Interpolation) =>
    sql`(SELECT s.id, s.started_at FROM study_sessions s WHERE ${where} ORDER BY ${order} LIMIT ${limit})`;
  const selected = parts.map(({ condition, authors }) => {
    const where = condition ?? sql`true`;
    if (authors === undefined) return first(where, number);
    const candidates = condition === undefined && direction === 'desc' ? latestAuthors(number) : authors;
    const ofAuthor = (limit: Interpolation) => first(sql`s.user_id = author.user_id AND ${where}`, limit);
    return sql`(SELECT s.id, s.started_at
      FROM (SELECT author.user_id FROM (${candidates}) AS author
        CROSS JOIN LATERAL ${ofAuthor(sql`1`)} AS s ORDER BY ${order} LIMIT ${number}) AS author
      CROSS JOIN LATERAL ${ofAuthor(number)} AS s)`;
  });
  return join(selected, sql` UNION ALL `);
}
