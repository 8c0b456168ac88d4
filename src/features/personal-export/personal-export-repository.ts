import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { type RowOf, t } from '../../db/sql/types.ts';

export const exportStates = ['pending', 'ready', 'failed'] as const;

const exportColumns = {
  id: t.bigint,
  state: t.oneOf(exportStates),
  requested_at: t.timestamptz,
  finished_at: t.timestamptz.orNull,
  bytes: t.bigint.orNull,
};
export type PersonalExportRow = RowOf<typeof exportColumns>;
const columns = sql`e.id, e.state, e.requested_at, e.finished_at, e.bytes`;

// Concurrent requests of a user wait here, so that each counts the exports of those before it.
const lockOwner = command(
  'lock_owner_of_exports',
  (userId: number) => sql`SELECT FROM users u WHERE u.id = ${t.bigint(userId)} FOR NO KEY UPDATE`,
);
const countSince = query(
  'count_personal_exports_since',
  { count: t.bigint },
  (userId: number, since: Date) => sql`
    SELECT count(*) AS count FROM personal_exports
    WHERE user_id = ${t.bigint(userId)} AND requested_at > ${t.timestamptz(since)}`,
);
const insertExport = query(
  'insert_personal_export',
  exportColumns,
  (userId: number, now: Date) => sql`
    INSERT INTO personal_exports AS e (user_id, requested_at) VALUES (${t.bigint(userId)}, ${t.timestamptz(now)})
    ON CONFLICT DO NOTHING RETURNING ${columns}`,
);
const findLatest = query(
  'find_latest_personal_export',
  exportColumns,
  (userId: number, since: Date) => sql`
    SELECT ${columns} FROM personal_exports e
    WHERE e.user_id = ${t.bigint(userId)} AND (e.finished_at IS NULL OR e.finished_at > ${t.timestamptz(since)})
    ORDER BY e.requested_at DESC, e.id DESC LIMIT 1`,
);

const fileColumns = { file_id: t.uuid, sealed_key: t.text, parts: t.integer, bytes: t.bigint };
export type ExportFiles = RowOf<typeof fileColumns>;
const findFiles = query(
  'find_files_of_personal_export',
  fileColumns,
  (userId: number, since: Date) => sql`
    SELECT e.file_id, e.sealed_key, e.parts, e.bytes FROM personal_exports e
    WHERE e.user_id = ${t.bigint(userId)} AND e.state = 'ready' AND e.finished_at > ${t.timestamptz(since)}
    ORDER BY e.finished_at DESC, e.id DESC LIMIT 1`,
);

const findPending = query(
  'find_pending_personal_export',
  { user_id: t.bigint, is_active: t.boolean },
  (id: number) => sql`
    SELECT e.user_id, u.status = 'active' AS is_active FROM personal_exports e JOIN users u ON u.id = e.user_id
    WHERE e.id = ${t.bigint(id)} AND e.state = 'pending'`,
);
const finishExport = command(
  'finish_personal_export',
  (id: number, files: ExportFiles, now: Date) => sql`
    UPDATE personal_exports SET state = 'ready', finished_at = ${t.timestamptz(now)}, file_id = ${t.uuid(files.file_id)},
      sealed_key = ${t.text(files.sealed_key)}, parts = ${t.integer(files.parts)}, bytes = ${t.bigint(files.bytes)}
    WHERE id = ${t.bigint(id)} AND state = 'pending'`,
);
const failExport = command(
  'fail_personal_export',
  (id: number, now: Date) => sql`
    UPDATE personal_exports SET state = 'failed', finished_at = ${t.timestamptz(now)}
    WHERE id = ${t.bigint(id)} AND state = 'pending'`,
);
const deleteFinished = command(
  'delete_finished_personal_exports',
  (before: Date) => sql`DELETE FROM personal_exports WHERE finished_at <= ${t.timestamptz(before)}`,
);
const listKnown = query(
  'list_known_export_files',
  { file_id: t.uuid },
  (fileIds: readonly string[]) => sql`
    SELECT e.file_id FROM personal_exports e WHERE e.file_id::text = ANY(${t.texts(fileIds)})`,
);

export function createPersonalExportRepository(db: Executor) {
  return {
    lockOwner: (userId: number) => db.execute(lockOwner(userId)),
    countSince: async (userId: number, since: Date) => (await db.one(countSince(userId, since))).count,
    /** Returns undefined if the user has an unfinished one. */
    insert: (userId: number, now: Date) => db.maybeOne(insertExport(userId, now)),
    /** The latest one that is unfinished or was finished after `since`. */
    findLatest: (userId: number, since: Date) => db.maybeOne(findLatest(userId, since)),
    /** The files of the latest archive that was finished after `since`. */
    findFiles: (userId: number, since: Date) => db.maybeOne(findFiles(userId, since)),
    /** Undefined if it is finished or was deleted with its account. */
    findPending: (id: number) => db.maybeOne(findPending(id)),
    /** Returns false if it was deleted. */
    finish: async (id: number, files: ExportFiles, now: Date) => (await db.execute(finishExport(id, files, now))) > 0,
    fail: (id: number, now: Date) => db.execute(failExport(id, now)),
    deleteFinished: (before: Date) => db.execute(deleteFinished(before)),
    /** Which of these files belong to an export. */
    listKnown: async (fileIds: readonly string[]) => (await db.many(listKnown(fileIds))).map((row) => row.file_id),
  };
}
