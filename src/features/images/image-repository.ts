import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

const listReferenced = query(
  'list_referenced_images',
  { image: t.text },
  (images: readonly string[]) => sql`SELECT p.image FROM projects p WHERE p.image = ANY(${t.texts(images)})`,
);

export function createImageRepository(db: Executor) {
  return {
    lock: async (id: number) =>
      db
        .table('projects', 'lock_project_image')
        .where({ id, deleted_at: null })
        .forNoKeyUpdate()
        .first('user_id', 'image'),
    update: async (id: number, image: string | null) =>
      db.table('projects', 'update_project_image').where({ id }).update({ image }),
    listReferenced: async (images: readonly string[]) =>
      new Set((await db.many(listReferenced(images))).map((row) => row.image)),
  };
}
