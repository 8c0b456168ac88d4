import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne, value, values } from '../../../db/statements.ts';

export const lock = maybeOne(
  'lock_project_image',
  { user_id: t.bigint, image: t.text.orNull, assigned_user_ids: t.bigints },
  (projectId: number) => sql`
    SELECT p.user_id, p.image,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id) AS assigned_user_ids
    FROM projects p
    WHERE p.id = ${t.bigint(projectId)} AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
);
/** Of all pictures of the projects that the user owns, including those in the trash. */
export const sumBytes = value(
  'sum_image_bytes',
  { bytes: t.bigint },
  (ownerId: number) => sql`
    SELECT coalesce(sum(p.image_bytes), 0)::bigint AS bytes FROM projects p
    WHERE p.user_id = ${t.bigint(ownerId)} AND p.image_bytes > 0`,
);
/** Returns the pictures of projects that were deleted before the given time. */
export const clearInTrash = values(
  'clear_images_in_trash',
  { image: t.text },
  (before: Date, limit: number) => sql`
    WITH old AS (
      SELECT p.id, p.image FROM projects p
      WHERE p.image IS NOT NULL AND p.deleted_at < ${t.timestamptz(before)}
      ORDER BY p.id LIMIT ${t.bigint(limit)} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE projects p SET image = NULL, image_bytes = 0 FROM old WHERE p.id = old.id RETURNING old.image`,
);
const listReferencedStatement = many(
  'list_referenced_images',
  { image: t.text },
  (images: readonly string[]) => sql`SELECT p.image FROM projects p WHERE p.image = ANY(${t.texts(images)})`,
);

export const update = async (db: Executor, id: number, image: string | null, image_bytes: number) =>
  db.table('projects', 'update_project_image').where({ id }).update({ image, image_bytes });
export const listReferenced = async (db: Executor, images: readonly string[]) =>
  new Set((await listReferencedStatement(db, images)).map((row) => row.image));
