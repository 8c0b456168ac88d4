import { type Executor, sql } from '../../db/database.ts';

/** Images as the rows name them: by their public path. */
export type ImageRow = { user_id: number; image: string | null };

const lockProject = sql(`
  SELECT p.user_id, p.image FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL FOR NO KEY UPDATE`);
const updateImage = sql('UPDATE projects SET image = $2 WHERE id = $1');
const listNamed = sql('SELECT p.image FROM projects p WHERE p.image = ANY($1::text[])');

export function createImageRepository(db: Executor) {
  return {
    /** The project's image, its row locked until the transaction ends; undefined when there is no such project. */
    async lock(projectId: number): Promise<ImageRow | undefined> {
      const [row] = await db.rows<ImageRow>(lockProject, [projectId]);
      return row;
    },
    async update(projectId: number, image: string | null): Promise<void> {
      await db.rows(updateImage, [projectId, image]);
    },
    /** Those of the images that a row names, also one in the trash: it may be restored. */
    async listNamed(images: readonly string[]): Promise<Set<string>> {
      const rows = await db.rows<{ image: string }>(listNamed, [images]);
      return new Set(rows.map((row) => row.image));
    },
  };
}
