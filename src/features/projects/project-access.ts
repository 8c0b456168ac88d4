import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Store } from '../../store.ts';
import { canManageProject, canViewProject, type Reader } from './project-policy.ts';

/** Throws NotFoundError if there is no such project, otherwise PermissionDeniedError. */
export function createProjectAccess({ store }: { store: Store }) {
  async function find(reader: Reader, id: number) {
    const project = await store.projects.findAccess(reader, id);
    if (project === undefined) throw new NotFoundError('project_not_found');
    return project;
  }

  return {
    async requireView(reader: Reader, id: number) {
      const project = await find(reader, id);
      if (!canViewProject(reader, project)) throw new PermissionDeniedError('project_not_visible');
      return project;
    },
    async requireManage(reader: Reader, id: number) {
      const project = await find(reader, id);
      if (!canManageProject(reader, project)) throw new PermissionDeniedError('project_not_yours');
      return project;
    },
  };
}

export type ProjectAccessCheck = ReturnType<typeof createProjectAccess>;
