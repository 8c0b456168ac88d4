import type { Reader } from '../../../actor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { maybeOne } from '../../../db/statements.ts';
import { manageableBy, ownPart, projectColumns, selectProject, visibleTo } from './project-sql.ts';

export const findAccess = maybeOne(
  'find_project_access',
  { user_id: t.bigint, visible: t.boolean, manageable: t.boolean },
  (reader: Reader, id: number) => sql`
    SELECT p.user_id, ${visibleTo(reader)} AS visible, ${manageableBy(reader)} AS manageable
    FROM projects p WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`,
);

/** For nobody in particular; undefined if it is in the trash. */
export const findShown = maybeOne('find_shown_project', projectColumns, (id: number) => {
  const nobody: Reader = { id: 0, role: 'admin' };
  return sql`
    SELECT ${selectProject(nobody)} FROM projects p ${ownPart(nobody)}
    WHERE p.id = ${t.bigint(id)} AND p.deleted_at IS NULL`;
});
