import type { Reader } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import { empty, leftJoined, matched, type Parameter, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many } from '../../../db/statements.ts';
import { databaseRun } from '../../../list-cache/list-cache.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';
import {
  assignedProjects,
  colorOf,
  isAssigned,
  ownPart,
  projectColumns,
  selectProject,
} from '../../study/project-access/project-sql.ts';
import {
  elapsedSeconds,
  readerOf,
  selectSession,
  sessionColumns,
  shownProjectName,
} from '../../study/study-sessions/session-sql.ts';
import { itemTypes, type Position } from './sync-cursor.ts';

const changeColumns = {
  changed_in: t.xid8,
  type: t.oneOf(itemTypes),
  id: t.bigint,
  deleted: t.boolean,
  /** For a deletion, whether the item is visible again. */
  visible: t.boolean,
  name: t.text.orNull,
};
export type Change = RowOf<typeof changeColumns>;

// The copy contains own and assigned items, even for administrators, who can see everything.
const isOwn = (userId: Parameter): Sql =>
  sql`(p.deleted_at IS NULL AND (p.user_id = ${userId} OR ${isAssigned(userId)}))`;
const isOwnSession = (reader: Reader): Sql => {
  const me = t.bigint(reader.id);
  return sql`(s.user_id = ${me} OR (s.owner_id = ${me} ${ofStudents(reader)}))`;
};
/** SQL: of the records of others on own projects, limited administrators see those of their students. */
const ofStudents = ({ id, role }: Reader): Sql =>
  role === 'class_admin' ? sql`AND s.user_id IN (${studentsInScope(t.bigint(id))})` : empty;

/** SQL: changes with the students of a limited administrator, who then begin again. */
const scopeVersion = ({ id, role }: Reader): Sql =>
  role === 'class_admin'
    ? sql`(SELECT md5(string_agg(v.user_id::text, ',' ORDER BY v.user_id)) FROM (${studentsInScope(t.bigint(id))}) AS v)`
    : sql`NULL`;

/** SQL: condition and order of a source of changes; `row` is its alias. */
function following(row: Sql, { changed_in, type, id }: Position, of: Position['type'], limit: Parameter): Sql {
  const after = type === of ? id : type < of ? 0 : Number.MAX_SAFE_INTEGER;
  return sql`(${row}.changed_in, ${row}.id) > (${t.xid8(changed_in)}, ${t.bigint(after)})
    ORDER BY ${row}.changed_in, ${row}.id LIMIT ${limit}`;
}

// Each source returns its first changes after the position, from an index. Only projects are all checked: an index on
// changed_in would make each study record update all indexes of its project (no HOT updates). A deletion precedes a
// change of the same transaction, which may have made the item visible again. Administrators see current names of
// projects of others on which they have records: each change of such a project is a deletion, which has the name.
const readChangesStatement = many(
  'read_sync_changes',
  { horizon: t.xid8, run: t.text, ...leftJoined(changeColumns) },
  (reader: Reader, after: Position, maxItems: number) => {
    const me = t.bigint(reader.id);
    const limit = t.bigint(maxItems);
    const position = sql`(${t.xid8(after.changed_in)}, ${t.text(after.type)}, ${t.bigint(after.id)})`;
    const sessions = (scope: Sql) => sql`
      SELECT s.changed_in, 'session' AS type, s.id, false AS deleted FROM study_sessions s
      WHERE ${scope} AND ${following(sql`s`, after, 'session', limit)}`;
    return sql`
      WITH changes AS MATERIALIZED (
        SELECT c.changed_in, c.type, c.id, bool_and(c.deleted) AS deleted FROM (
          (SELECT p.changed_in, 'project' AS type, p.id, false AS deleted FROM (
             SELECT p.changed_in, p.id FROM projects p WHERE p.user_id = ${me} AND p.deleted_at IS NULL
             UNION ALL
             SELECT p.changed_in, p.id FROM (${assignedProjects(me)}) AS seen
             CROSS JOIN LATERAL (SELECT p.changed_in, p.id FROM projects p WHERE p.id = seen.id OFFSET 0) AS p) AS p
           WHERE ${following(sql`p`, after, 'project', limit)})
          UNION ALL (${sessions(sql`s.user_id = ${me}`)})
          UNION ALL (${sessions(sql`s.owner_id = ${me} AND s.owner_id <> s.user_id ${ofStudents(reader)}`)})
          UNION ALL
          (SELECT d.changed_in, d.item_type, i.item_id, true
           FROM sync_deletions d CROSS JOIN LATERAL unnest(d.item_ids) AS i (item_id)
           WHERE d.user_id = ${me} AND (d.changed_in, d.item_type, d.last_item_id) > ${position}
             AND (d.changed_in, d.item_type, i.item_id) > ${position}
           ORDER BY d.changed_in, d.item_type, d.last_item_id, i.item_id LIMIT ${limit})
          UNION ALL
          (SELECT p.changed_in, 'project', p.id, true FROM project_user_totals u JOIN projects p ON p.id = u.project_id
           WHERE ${t.boolean(reader.role === 'admin')} AND u.user_id = ${me} AND ${following(sql`p`, after, 'project', limit)})) AS c
        GROUP BY c.changed_in, c.type, c.id ORDER BY c.changed_in, c.type, c.id LIMIT ${limit})
      SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon,
        concat_ws(' ', ${databaseRun}, ${scopeVersion(reader)}) AS run,
        c.changed_in, c.type, c.id, c.deleted,
        CASE WHEN NOT c.deleted THEN true
          WHEN c.type = 'project' THEN EXISTS (SELECT FROM projects p WHERE p.id = c.id AND ${isOwn(me)})
          ELSE EXISTS (SELECT FROM study_sessions s WHERE s.id = c.id AND ${isOwnSession(reader)}) END AS visible,
        CASE WHEN c.deleted AND c.type = 'project' THEN (
          SELECT ${shownProjectName(readerOf(reader))} FROM projects p WHERE p.id = c.id AND (p.user_id = ${me} OR EXISTS (
            SELECT FROM project_user_totals u WHERE u.user_id = ${me} AND u.project_id = p.id))) END AS name
      FROM (VALUES (1)) AS always LEFT JOIN changes c ON true
      ORDER BY c.changed_in, c.type, c.id`;
  },
);

const readProjectsStatement = many('read_sync_projects', projectColumns, (reader: Reader, ids: readonly number[]) => {
  const me = t.bigint(reader.id);
  return sql`
    SELECT ${selectProject(reader, colorOf)} FROM projects p ${ownPart(reader)}
    WHERE p.id = ANY(${t.bigints(ids)}) AND ${isOwn(me)} ORDER BY p.id`;
});

/** The colors that depend on the other projects of the reader, so that they change without a change of the project. */
export const readColors = many(
  'read_sync_colors',
  { project_id: t.bigint, color: t.integer },
  (reader: Reader) => sql`
    SELECT h.key::bigint AS project_id, h.value::integer AS color FROM jsonb_each_text(project_hues(${t.bigint(reader.id)})) AS h`,
);

const readSessionsStatement = many(
  'read_sync_sessions',
  sessionColumns,
  (reader: Reader, ids: readonly number[], now: Date) => {
    const shown = { seconds: elapsedSeconds(t.timestamptz(now)), projectName: shownProjectName(readerOf(reader)) };
    return sql`
    SELECT ${selectSession(shown)} FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.id = ANY(${t.bigints(ids)}) AND ${isOwnSession(reader)} ORDER BY s.id`;
  },
);

/** Ordered changes, read in one snapshot with the horizon: all transactions before it have ended. */
export type Changes = { horizon: string; run: string; changes: Change[] };

/** Deletes the oldest entries before the given time, limited per statement. */
export const purge = execute(
  'purge_sync_deletions',
  (before: Date, limit: number) => sql`
    DELETE FROM sync_deletions d USING (
      SELECT e.user_id, e.changed_in, e.item_type, e.last_item_id FROM sync_deletions e
      WHERE e.deleted_at < ${t.timestamptz(before)} ORDER BY e.deleted_at LIMIT ${t.bigint(limit)}) AS expired
    WHERE (d.user_id, d.changed_in, d.item_type, d.last_item_id)
      = (expired.user_id, expired.changed_in, expired.item_type, expired.last_item_id)`,
);

export async function readChanges(db: Executor, reader: Reader, after: Position, limit: number): Promise<Changes> {
  const rows = await readChangesStatement(db, reader, after, limit);
  const [first] = rows;
  if (first === undefined) throw new Error('read_sync_changes returned no row');
  return {
    horizon: first.horizon,
    run: first.run,
    changes: rows.flatMap((row) => matched(changeColumns, row) ?? []),
  };
}

/** Projects still visible to the reader; they may be newer than the change. */
export const readProjects = async (db: Executor, reader: Reader, ids: readonly number[]) =>
  ids.length === 0 ? [] : readProjectsStatement(db, reader, ids);

export const readSessions = async (db: Executor, reader: Reader, ids: readonly number[], now: Date) =>
  ids.length === 0 ? [] : readSessionsStatement(db, reader, ids, now);
