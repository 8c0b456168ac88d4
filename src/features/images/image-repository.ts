import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

const lock = query(
  'lock_project_image',
  { user_id: t.bigint, image: t.text.orNull, assigned_user_ids: t.bigints },
  (projectId: number) => sql`
    SELECT p.user_id, p.image,
      ARRAY(SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id) AS assigned_user_ids
    FROM projects p
    WHERE p.id = ${t.bigint(projectId)} AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
);
const listReferenced = query(
  'list_referenced_images',
  { image: t.text },
  (images: readonly string[]) => sql`SELECT p.image FROM projects p WHERE p.image = ANY(${t.texts(images)})`,
);

export function createImageRepository(db: Executor) {
  return {
    lock: (projectId: number) => db.maybeOne(lock(projectId)),
    update: async (id: number, image: string | null) =>
      db.table('projects', 'update_project_image').where({ id }).update({ image }),
    listReferenced: async (images: readonly string[]) =>
      new Set((await db.many(listReferenced(images))).map((row) => row.image)),
  };
}
