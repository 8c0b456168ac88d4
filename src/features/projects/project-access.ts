import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';

/** The properties of a project that permissions depend on. */
export type ProjectAccess = { user_id: number; assigned: boolean };

export type Reader = Pick<Actor, 'id' | 'role'>;

/** Administrators see all projects, others those that they own or are assigned to. In SQL: `visibleTo`. */
export function canViewProject(reader: Reader, project: ProjectAccess): boolean {
  return canManageProject(reader, project) || project.assigned;
}

/** For changing, deleting and the cover image. In SQL: `manageableBy`. */
export function canManageProject(reader: Reader, project: Pick<ProjectAccess, 'user_id'>): boolean {
  return reader.role === 'admin' || project.user_id === reader.id;
}

export function canFilterByAssignment(reader: Reader): boolean {
  return reader.role === 'admin';
}

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
