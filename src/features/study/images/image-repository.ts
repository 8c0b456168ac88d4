import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { maybeOne } from '../../../db/statements.ts';

export const lock = maybeOne(
  'lock_project_image',
  { user_id: t.bigint, image: t.text.orNull, assigned_user_ids: t.bigints },
  (projectId: number) => sql`
    SELECT p.user_id, p.image,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id) AS assigned_user_ids
    FROM projects p
    WHERE p.id = ${t.bigint(projectId)} AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
);
const sumBytesStatement = query(
  'sum_image_bytes',
  { bytes: t.bigint },
  (ownerId: number) => sql`
    SELECT coalesce(sum(p.image_bytes), 0)::bigint AS bytes FROM projects p
    WHERE p.user_id = ${t.bigint(ownerId)} AND p.image_bytes > 0`,
);
const clearInTrashStatement = query(
  'clear_images_in_trash',
  { image: t.text },
  (before: Date, limit: number) => sql`
    WITH old AS (
      SELECT p.id, p.image FROM projects p
      WHERE p.image IS NOT NULL AND p.deleted_at < ${t.timestamptz(before)}
      ORDER BY p.id LIMIT ${t.bigint(limit)} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE projects p SET image = NULL, image_bytes = 0 FROM old WHERE p.id = old.id RETURNING old.image`,
);
const listReferencedStatement = query(
  'list_referenced_images',
  { image: t.text },
  (images: readonly string[]) => sql`SELECT p.image FROM projects p WHERE p.image = ANY(${t.texts(images)})`,
);

export const update = async (db: Executor, id: number, image: string | null, image_bytes: number) =>
  db.table('projects', 'update_project_image').where({ id }).update({ image, image_bytes });
/** Of all pictures of the projects that the user owns, including those in the trash. */
export const sumBytes = async (db: Executor, ownerId: number) => (await db.one(sumBytesStatement(ownerId))).bytes;
/** Returns the pictures of projects that were deleted before the given time. */
export const clearInTrash = async (db: Executor, before: Date, limit: number) =>
  (await db.many(clearInTrashStatement(before, limit))).map(({ image }) => image);
export const listReferenced = async (db: Executor, images: readonly string[]) =>
  new Set((await db.many(listReferencedStatement(images))).map((row) => row.image));
