import type { Reader } from '../../../actor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne } from '../../../db/statements.ts';
import { manageableBy, ownPart, projectColumns, selectProject, visibleTo } from './project-sql.ts';

export const findAccess = maybeOne(
  'find_project_access',
  { user_id: t.bigint, visible: t.boolean, manageable: t.boolean },
  (reader: Reader, id: number) => sql`
    SELECT p.user_id, ${visibleTo(reader)} AS visible, ${manageableBy(reader)} AS manageable
    FROM projects p WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`,
);

/** As the owner of none of them sees them, in the order of their ids; without those in the trash. */
export const listShown = many('list_shown_projects', projectColumns, (ids: readonly number[]) => {
  const nobody: Reader = { id: 0, role: 'admin' };
  return sql`
    SELECT ${selectProject(nobody)} FROM projects p ${ownPart(nobody)}
    WHERE p.id = ANY(${t.bigints(ids)}) AND p.deleted_at IS NULL ORDER BY p.id`;
});
