import type { Reader } from '../../../actor.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as projects from './project-sql.ts';

export function canFilterByAssignment(reader: Reader): boolean {
  return reader.role !== 'user';
}

/** Who may see and manage a project is said in SQL: `visibleTo` and `manageableBy`. */
export function createProjectAccess({ store }: { store: Db }) {
  async function find(reader: Reader, id: number) {
    const project = await projects.findAccess(store, reader, id);
    if (project === undefined) throw new NotFoundError('project_not_found');
    return project;
  }

  /** Both throw NotFoundError if there is no such project, otherwise PermissionDeniedError. */
  return {
    async requireView(reader: Reader, id: number) {
      const project = await find(reader, id);
      if (!project.visible) throw new PermissionDeniedError('project_not_visible');
      return project;
    },
    /** Those who may change its assignments: of others than these, limited administrators see their own students. */
    async requireAssign(reader: Reader, id: number) {
      return reader.role === 'class_admin' ? this.requireView(reader, id) : this.requireManage(reader, id);
    },
    async requireManage(reader: Reader, id: number) {
      const project = await find(reader, id);
      if (!project.manageable) throw new PermissionDeniedError('project_not_yours');
      return project;
    },
  };
}

export type ProjectAccessCheck = ReturnType<typeof createProjectAccess>;
