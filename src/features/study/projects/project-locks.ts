import type { Actor } from '../../../actor.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, PreconditionFailedError } from '../../../texts/errors.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { ProjectState } from './project-repository.ts';
import * as projects from './project-repository.ts';

export async function requireManageable(tx: Tx, actor: Actor, id: number): Promise<void> {
  if (!(await projects.findRights(tx, actor, id)).manageable) throw new PermissionDeniedError('project_not_yours');
}

/** Of its assignments, limited administrators change those of their own students also where they may change nothing else. */
export async function lockAssignable(tx: Tx, actor: Actor, id: number): Promise<ProjectState> {
  if (actor.role !== 'class_admin') return lockManaged(tx, actor, id);
  const project = await lockExisting(tx, id);
  if (!(await projects.findRights(tx, actor, id)).visible) throw new PermissionDeniedError('project_not_visible');
  return project;
}

export async function lockManaged(tx: Tx, actor: Actor, id: number): Promise<ProjectState> {
  const project = await lockExisting(tx, id);
  await requireManageable(tx, actor, id);
  return project;
}

async function lockExisting(tx: Tx, id: number): Promise<ProjectState> {
  const project = await projects.lock(tx, id);
  if (project === undefined || project.deleted_at !== null) throw new NotFoundError('project_not_found');
  return project;
}

export function requireVersion(project: ProjectState, expected: number | undefined): void {
  if (expected !== undefined && expected !== project.row_version) throw new PreconditionFailedError();
}

type DeletedProject = ProjectState & { deleted_at: string };

/** Existence and permission first: users who may not manage a project must not learn that it is in the trash. */
export async function requireInTrash(tx: Tx, actor: Actor, project: ProjectState | undefined): Promise<DeletedProject> {
  if (project === undefined) throw new NotFoundError('project_not_found');
  const { deleted_at } = project;
  if (!(await projects.findRights(tx, actor, project.id)).manageable) {
    throw deleted_at === null ? new PermissionDeniedError('project_not_yours') : new NotFoundError('project_not_found');
  }
  if (deleted_at === null) throw new ConflictError('CONFLICT', 'project_not_in_trash');
  return { ...project, deleted_at };
}
