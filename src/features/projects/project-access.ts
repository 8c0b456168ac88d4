import { type Executor, sql } from '../../db/database.ts';
import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Actor } from '../auth/identity.ts';
import { canManageProject, canViewProject, type ProjectFacts } from './project-policy.ts';

export type ProjectAccess = ProjectFacts & {
  id: number;
  status: 'active' | 'completed' | 'paused';
  row_version: number;
};

const findAccess = sql(`
  SELECT p.id, p.user_id, p.status, p.row_version,
    EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = $2) AS assigned
  FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL`);

/**
 * Existence before permission, for whatever hangs on a project. Both throw NotFoundError when there is no such project
 * and PermissionDeniedError when the caller may not.
 */
export function createProjectAccess(db: Executor) {
  async function find(actor: Actor, id: number): Promise<ProjectAccess> {
    const [access] = await db.rows<ProjectAccess>(findAccess, [id, actor.id]);
    if (access === undefined) throw new NotFoundError('project_not_found');
    return access;
  }

  return {
    /** The project, if the caller may see it. */
    async requireView(actor: Actor, id: number): Promise<ProjectAccess> {
      const access = await find(actor, id);
      if (!canViewProject(actor, access)) throw new PermissionDeniedError('project_not_visible');
      return access;
    },
    /** The project, if the caller may change it. */
    async requireManage(actor: Actor, id: number): Promise<ProjectAccess> {
      const access = await find(actor, id);
      if (!canManageProject(actor, access)) throw new PermissionDeniedError('project_not_yours');
      return access;
    },
  };
}

export type ProjectAccessCheck = ReturnType<typeof createProjectAccess>;
