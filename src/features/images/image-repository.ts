import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

const lock = query(
  'lock_project_image',
  { user_id: t.bigint, image: t.text.orNull },
  (projectId: number) => sql`
    SELECT p.user_id, p.image FROM projects p
    WHERE p.id = ${t.bigint(projectId)} AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
);
const update = command(
  'update_project_image',
  (projectId: number, image: string | null) =>
    sql`UPDATE projects SET image = ${t.text(image)} WHERE id = ${t.bigint(projectId)}`,
);
const listReferenced = query(
  'list_referenced_images',
  { image: t.text },
  (images: readonly string[]) => sql`SELECT p.image FROM projects p WHERE p.image = ANY(${t.texts(images)})`,
);

export function createImageRepository(db: Executor) {
  return {
    lock: (projectId: number) => db.maybeOne(lock(projectId)),
    update: (projectId: number, image: string | null) => db.execute(update(projectId, image)),
    listReferenced: async (images: readonly string[]) =>
      new Set((await db.many(listReferenced(images))).map((row) => row.image)),
  };
}
