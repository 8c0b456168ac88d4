import { only } from '../../db/database.ts';
import {
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  UnavailableError,
  ValidationError,
} from '../../errors.ts';
import type { RequestKey } from '../../http/idempotency-repository.ts';
import { createBatch } from '../../lib/batch.ts';
import { unique } from '../../lib/unique.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { awardTarget } from '../achievements/award-service.ts';
import {
  assignmentEvents,
  endMemberships,
  isAssignable,
  lockAllUsers,
  removed,
} from '../assignments/assignment-changes.ts';
import type { Actor } from '../auth/identity.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { canManageProject, canViewProject } from './project-access.ts';
import { changedFields, newAssignees, requestedUsers, restartsPlan } from './project-changes.ts';
import { createProjectCreation } from './project-creation.ts';
import type { ProjectState } from './project-repository.ts';
import type { CreateProjectInput, UpdateProjectInput } from './project-schemas.ts';
import type { ProjectRow } from './project-sql.ts';

export type ProjectServiceOptions = {
  store: Store;
  endTimers: EndTimers;
};

/** Every method throws NotFoundError and PermissionDeniedError where they apply. */
export function createProjectService({ store, endTimers }: ProjectServiceOptions) {
  const createUnassigned = createProjectCreation(store);
  const findDetail = createBatch(store.projects.findDetails, {
    isShared: (error) => error instanceof UnavailableError,
  });

  return {
    async getDetail(actor: Actor, id: number) {
      const project = await findDetail({ reader: actor, id });
      if (project === undefined) throw new NotFoundError('project_not_found');
      const assigned = project.assigned_user_ids.includes(actor.id);
      if (!canViewProject(actor, { ...project, assigned })) throw new PermissionDeniedError('project_not_visible');
      return project;
    },

    /** Together with other projects that are created at the same time, unless it is assigned. */
    async create(actor: Actor, input: CreateProjectInput, key?: RequestKey): Promise<ProjectRow> {
      const { assigned_user_ids: assignees, ...fields } = input;
      if (assignees.length === 0) return createUnassigned({ actor, input: { user_id: actor.id, ...fields }, key });
      return store.transaction(async (tx) => {
        const { projects, assignments, record } = tx;
        const users = await lockAllUsers(tx, assignees);
        requireAssignable(assignees, users.filter(isAssignable));
        const requests = [{ actor, input: { user_id: actor.id, ...fields }, key }];
        const created = only((await projects.create(requests, { alone: true, bumps: false })).created);
        if (created instanceof Error) throw created;
        const { id } = created;
        const changes = await assignments.replaceAll([id], unique(assignees), assignees);
        const project = await projects.get(actor, id);
        record({ type: 'project.created', project }, ...assignmentEvents(changes));
        return project;
      }, actor.context);
    },

    /** Writes only the fields that differ. */
    update(actor: Actor, id: number, input: UpdateProjectInput, expectedVersion: number | undefined) {
      return store.transaction(async (tx) => {
        const { projects, assignments, record } = tx;
        // Lock order: users before projects.
        const users = actor.role === 'admin' ? await lockAllUsers(tx, requestedUsers(input)) : [];
        const project = await lockManaged(tx, actor, id);
        const current = await assignments.listUserIds(id);
        const assignees = newAssignees(actor, input, current);
        // Assigned users may stay, even if they are inactive now: a client may send back what it read.
        const allowed = [...users.filter(isAssignable), ...current.map((userId) => ({ id: userId }))];
        if (assignees !== undefined)
          requireAssignable(input.assigned_user_ids ?? assignees, allowed, input.assigned_user_ids === undefined);
        requireVersion(project, expectedVersion);
        const changes = changedFields(project, input);
        const isChanged = Object.keys(changes).length > 0;
        if (changes.status !== undefined && project.status === 'active') await endTimers(tx, { project_id: id });
        const moved = assignees === undefined ? [] : await assignments.replaceAll([id], assignees, assignees);
        await endMemberships(tx, removed(moved), endTimers); // before the name changes
        // What a timer reached that has just ended is recorded with its session.
        const mayReach = changes.target_hours !== undefined && ((await projects.lock(id))?.progress ?? 0) < 100;
        if (isChanged) await projects.update(id, { ...project, ...changes }, restartsPlan(changes));
        if (changes.status !== undefined) await projects.addStatusChange(id, project.status, changes.status);
        const after = await projects.get(actor, id);
        if (isChanged)
          record({
            type: 'project.updated',
            before: { ...project, color: project.shown_color },
            project: after,
            assigned_user_ids: current,
          });
        if (mayReach && after.progress === 100) {
          await awardTarget(tx, after);
          record({ type: 'goal.reached', projects: [after] });
        }
        record(...assignmentEvents(moved));
        return after;
      }, actor.context);
    },

    /**
     * Moves the project to the trash, stops its timers and stores the assignments for a restore. Records are not
     * deleted.
     */
    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(async (tx) => {
        const project = await lockManaged(tx, actor, id);
        requireVersion(project, expectedVersion);
        const assigned_user_ids = await tx.assignments.listUserIds(id);
        await endTimers(tx, { project_id: id });
        const deleted_at = await tx.projects.trash(id, assigned_user_ids);
        const pairs = assigned_user_ids.map((user_id) => ({ project_id: id, user_id }));
        await endMemberships(tx, pairs, endTimers);
        tx.record({ type: 'project.deleted', project, deleted_at, assigned_user_ids });
      }, actor.context);
    },

    restore(actor: Actor, id: number) {
      return store.transaction(async (tx) => {
        const { projects, assignments, record } = tx;
        const found = await projects.find(id);
        requireInTrash(actor, found);
        const former = found.former_user_ids ?? [];
        // Lock order: users before projects. What was read without the lock of the project is checked again.
        const users = await lockAllUsers(tx, former);
        const project = await projects.lock(id);
        requireInTrash(actor, project);
        if (project.former_user_ids?.join() !== found.former_user_ids?.join())
          throw new ConflictError('CONFLICT', 'conflict');
        await projects.restore(id);
        const assignable = new Set(users.filter(isAssignable).map((user) => user.id));
        const assignees = former.filter((userId) => assignable.has(userId));
        const changes = await assignments.replaceAll([id], assignees, assignees);
        const restored = await projects.get(actor, id);
        record(
          { type: 'project.restored', project: restored, deleted_at: project.deleted_at },
          ...assignmentEvents(changes),
        );
        return restored;
      }, actor.context);
    },
  };
}

export type ProjectService = ReturnType<typeof createProjectService>;

async function lockManaged(tx: TransactionStore, actor: Actor, id: number): Promise<ProjectState> {
  const project = await tx.projects.lock(id);
  if (project === undefined || project.deleted_at !== null) throw new NotFoundError('project_not_found');
  if (!canManageProject(actor, project)) throw new PermissionDeniedError('project_not_yours');
  return project;
}

function requireVersion(project: ProjectState, expected: number | undefined): void {
  if (expected !== undefined && expected !== project.row_version) throw new PreconditionFailedError();
}

/** Existence and permission first: users who may not manage a project must not learn that it is in the trash. */
function requireInTrash(
  actor: Actor,
  project: ProjectState | undefined,
): asserts project is ProjectState & { deleted_at: string } {
  if (project === undefined) throw new NotFoundError('project_not_found');
  if (!canManageProject(actor, project)) {
    throw project.deleted_at === null
      ? new PermissionDeniedError('project_not_yours')
      : new NotFoundError('project_not_found');
  }
  if (project.deleted_at === null) throw new ConflictError('CONFLICT', 'project_not_in_trash');
}

/** `single`: the request used the deprecated field. */
function requireAssignable(userIds: readonly number[], allowed: readonly { id: number }[], single = false): void {
  const ids = new Set(allowed.map((user) => user.id));
  const field = (index: number) => (single ? 'assigned_user_id' : `assigned_user_ids[${index}]`);
  const invalid = userIds.flatMap((id, index) => (ids.has(id) ? [] : [field(index)]));
  if (invalid.length > 0)
    throw new ValidationError(invalid.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
}
