import type { Columns, Database, Executor, Row } from '../../../db/database.ts';
import { readRows, type TakeRows } from '../../../db/row-stream.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { maybeOne, value, values } from '../../../db/statements.ts';
import { ownPart, projectColumns, selectProject, visibleTo } from '../../study/project-access/project-sql.ts';

export const exportStates = ['pending', 'ready', 'failed'] as const;

const shown = ['id', 'state', 'requested_at', 'finished_at', 'bytes'] as const satisfies Columns<'personal_exports'>;
export type PersonalExportRow = Pick<Row<'personal_exports'>, (typeof shown)[number]>;

export const countSince = value(
  'count_personal_exports_since',
  { count: t.bigint },
  (userId: number, since: Date) => sql`
    SELECT count(*) AS count FROM personal_exports
    WHERE user_id = ${t.bigint(userId)} AND requested_at > ${t.timestamptz(since)}`,
);

const fileColumns = { file_id: t.uuid, sealed_key: t.text, parts: t.integer, bytes: t.bigint };
export type ExportFiles = RowOf<typeof fileColumns>;
/** The files of the latest archive that was finished after `since`. */
export const findFiles = maybeOne(
  'find_files_of_personal_export',
  fileColumns,
  (userId: number, since: Date) => sql`
    SELECT e.file_id, e.sealed_key, e.parts, e.bytes FROM personal_exports e
    WHERE e.user_id = ${t.bigint(userId)} AND e.state = 'ready' AND e.finished_at > ${t.timestamptz(since)}
    ORDER BY e.finished_at DESC, e.id DESC LIMIT 1`,
);

/** Undefined if it is finished or was deleted with its account. */
export const findPending = maybeOne(
  'find_pending_personal_export',
  { user_id: t.bigint, is_active: t.boolean },
  (id: number) => sql`
    SELECT e.user_id, u.status = 'active' AS is_active FROM personal_exports e JOIN users u ON u.id = e.user_id
    WHERE e.id = ${t.bigint(id)} AND e.state = 'pending'`,
);

/** Which of these files belong to the latest export of their user: no other can be downloaded. */
export const listKnown = values(
  'list_known_export_files',
  { file_id: t.uuid },
  (fileIds: readonly string[]) => sql`
    SELECT e.file_id FROM personal_exports e WHERE e.file_id::text = ANY(${t.texts(fileIds)}) AND NOT EXISTS (
      SELECT FROM personal_exports later
      WHERE later.user_id = e.user_id AND later.state = 'ready' AND (later.finished_at, later.id) > (e.finished_at, e.id))`,
);

/** Concurrent requests of a user wait here, so that each counts the exports of those before it. */
export const lockOwner = async (db: Executor, id: number) =>
  db.table('users', 'lock_owner_of_exports').where({ id }).forNoKeyUpdate().first('id');
/** Returns undefined if the user has an unfinished one. */
export async function insert(
  db: Executor,
  user_id: number,
  requested_at: Date,
): Promise<PersonalExportRow | undefined> {
  const row = { user_id, requested_at };
  const insert = db.table('personal_exports', 'insert_personal_export').insert(row, shown).onConflict().ignore();
  return (await insert)[0];
}
/** The latest one that is unfinished or was finished after `since`. */
export const findLatest = async (db: Executor, user_id: number, since: Date) =>
  db
    .table('personal_exports', 'find_latest_personal_export')
    .where({ user_id })
    .where((state) => state.whereNull('finished_at').orWhere('finished_at', '>', since))
    .orderBy([
      { column: 'requested_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first(...shown);
/** Returns false if it was deleted. */
export const finish = async (db: Executor, id: number, files: ExportFiles, now: Date) =>
  (await db
    .table('personal_exports', 'finish_personal_export')
    .where({ id, state: 'pending' })
    .update({ ...files, state: 'ready', finished_at: now })) > 0;
export const fail = async (db: Executor, id: number, now: Date) =>
  db
    .table('personal_exports', 'fail_personal_export')
    .where({ id, state: 'pending' })
    .update({ state: 'failed', finished_at: now });
export const deleteFinished = async (db: Executor, before: Date) =>
  db.table('personal_exports', 'delete_finished_personal_exports').where('finished_at', '<=', before).delete();

const exportedColumns = { ...projectColumns, deleted_at: t.timestamptz.orNull };
export type ExportedProject = RowOf<typeof exportedColumns>;

// Independent of the role: administrators get their own projects, not all.
const readerOf = (id: number) => ({ id, role: 'user' }) as const;

const exportProjects = query('export_projects_of_user', exportedColumns, (userId: number) => {
  const reader = readerOf(userId);
  return sql`
    SELECT ${selectProject(reader)}, p.deleted_at
    FROM projects p ${ownPart(reader)}
    WHERE p.user_id = ${t.bigint(userId)} OR (p.deleted_at IS NULL AND ${visibleTo(reader)})
    ORDER BY p.id`;
});

const assignmentColumns = { project_id: t.bigint, project_name: t.text, assigned_at: t.timestamptz };
export type ExportedAssignment = RowOf<typeof assignmentColumns>;
const exportAssignments = query(
  'export_assignments_of_user',
  assignmentColumns,
  (userId: number) => sql`
    SELECT a.project_id, p.name AS project_name, a.assigned_at
    FROM project_assignments a JOIN projects p ON p.id = a.project_id
    WHERE a.user_id = ${t.bigint(userId)} ORDER BY a.project_id`,
);

const listGroups = query(
  'export_groups_of_user',
  { name: t.text, added_at: t.timestamptz },
  (userId: number) => sql`
    SELECT g.name, m.added_at FROM group_members m JOIN groups g ON g.id = m.group_id
    WHERE m.user_id = ${t.bigint(userId)} ORDER BY g.id LIMIT 10000`,
);

export function createExportReadModel(database: Database) {
  return {
    /** Own projects, including deleted ones, and assigned projects. */
    readProjects: (userId: number, take: TakeRows<ExportedProject>) => readRows(database, exportProjects(userId), take),
    readAssignments: (userId: number, take: TakeRows<ExportedAssignment>) =>
      readRows(database, exportAssignments(userId), take),
    listGroups: (userId: number) => database.many(listGroups(userId)),
  };
}
export type ExportReadModel = ReturnType<typeof createExportReadModel>;
