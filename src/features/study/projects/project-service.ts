import { type Actor, isAdministrator } from '../../../actor.ts';
import { only } from '../../../db/database.ts';
import { createBatch } from '../../../lib/batch.ts';
import { OutOfScopeError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, UnavailableError, ValidationError } from '../../../texts/errors.ts';
import type { RequestKey } from '../../../transactions/idempotency-repository.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { lockInScope, membersInScope } from '../../accounts/admin-scope/admin-scope.ts';
import { isAssignable, lockAllUsers } from '../../accounts/user-locks/user-locks.ts';
import { awardTarget, recordReached } from '../achievements/award-service.ts';
import { assignmentEvents, changedUsers, endMemberships } from '../assignments/assignment-changes.ts';
import * as assignments from '../assignments/assignment-repository.ts';
import type { ProjectRow } from '../project-access/project-sql.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { changedFields, createProjectCreation, newAssignees, requestedUsers, restartsPlan } from './project-changes.ts';
import type { DetailRequest } from './project-detail-sql.ts';
import { lockAssignable, lockManaged, requireInTrash, requireManageable, requireVersion } from './project-locks.ts';
import * as projects from './project-repository.ts';
import type { CreateProjectInput, UpdateProjectInput } from './project-schemas.ts';

export type ProjectServiceOptions = {
  store: Db;
  endTimers: EndTimers;
};

/** Every method throws NotFoundError and PermissionDeniedError where they apply. */
export function createProjectService({ store, endTimers }: ProjectServiceOptions) {
  const createUnassigned = createProjectCreation(store);
  const findDetail = createBatch((requests: readonly DetailRequest[]) => projects.findDetails(store, requests), {
    isShared: (error) => error instanceof UnavailableError,
  });

  return {
    async getDetail(actor: Actor, id: number) {
      const project = await findDetail({ reader: actor, id });
      if (project === undefined) throw new NotFoundError('project_not_found');
      if (!project.visible) throw new PermissionDeniedError('project_not_visible');
      return project;
    },

    /** Together with other projects that are created at the same time, unless it is assigned. */
    async create(actor: Actor, input: CreateProjectInput, key?: RequestKey): Promise<ProjectRow> {
      const { assigned_user_ids: assignees, ...fields } = input;
      if (assignees.length === 0) return createUnassigned({ actor, input: { user_id: actor.id, ...fields }, key });
      return store.transaction(actor.context, async (tx) => {
        const { record } = tx;
        const users = await lockAllUsers(tx, assignees);
        requireInScope(assignees, await lockInScope(tx, actor, assignees));
        requireAssignable(assignees, users.filter(isAssignable));
        const requests = [{ actor, input: { user_id: actor.id, ...fields }, key }];
        const created = only(await projects.create(tx, requests, true));
        if (created instanceof Error) throw created;
        const { id } = created;
        const changes = await assignments.replaceAll(tx, actor, [id], [...new Set(assignees)], assignees);
        const project = await projects.get(tx, actor, id);
        record({ type: 'project.created', project }, ...assignmentEvents(changes));
        return project;
      });
    },

    /** Writes only the fields that differ. */
    update(actor: Actor, id: number, input: UpdateProjectInput, expectedVersion: number | undefined) {
      return store.transaction(actor.context, async (tx) => {
        const { record } = tx;
        // Lock order: users before projects.
        const requested = isAdministrator(actor) ? requestedUsers(input) : [];
        const users = await lockAllUsers(tx, requested);
        const inScope = await lockInScope(tx, actor, requested);
        const project = await lockAssignable(tx, actor, id);
        const current = await assignments.listUserIds(tx, id);
        const assignees = newAssignees(actor, input, await membersInScope(tx, actor, current));
        if (assignees !== undefined) requireInScope(assignees, inScope, input.assigned_user_ids);
        // Assigned users may stay, even if they are inactive now: a client may send back what it read.
        const allowed = [...users.filter(isAssignable), ...current.map((userId) => ({ id: userId }))];
        if (assignees !== undefined)
          requireAssignable(input.assigned_user_ids ?? assignees, allowed, input.assigned_user_ids === undefined);
        requireVersion(project, expectedVersion);
        const shownColor = input.color === undefined ? undefined : (await projects.get(tx, actor, id)).color;
        const changes = changedFields({ ...project, color: shownColor ?? null }, input);
        const isChanged = Object.keys(changes).length > 0;
        if (isChanged) await requireManageable(tx, actor, id);
        if (changes.status !== undefined && project.status === 'active') await endTimers(tx, { project_id: id });
        const moved =
          assignees === undefined ? [] : await assignments.replaceAll(tx, actor, [id], assignees, assignees);
        await endMemberships(tx, changedUsers('removed', moved), endTimers); // before the name changes
        // What a timer reached that has just ended is recorded with its session.
        const mayReach = changes.target_hours !== undefined && ((await projects.lock(tx, id))?.progress ?? 0) < 100;
        const changesTarget = changes.target_hours !== undefined || changes.target_scope !== undefined;
        const after = await recordReached(tx, changesTarget ? [id] : [], async () => {
          if (isChanged) await projects.update(tx, id, { ...project, ...changes }, restartsPlan(changes));
          if (changes.status !== undefined) await projects.addStatusChange(tx, id, project.status, changes.status);
          const updated = await projects.get(tx, actor, id);
          const color = changes.color === undefined ? updated.color : (shownColor ?? updated.color);
          if (isChanged)
            record({
              type: 'project.updated',
              before: { ...project, color },
              project: updated,
              assigned_user_ids: current,
            });
          return updated;
        });
        const mayBeReachedByUsers = changes.target_hours !== undefined && after.target_scope === 'each';
        if ((mayReach || mayBeReachedByUsers) && after.progress === 100) await awardTarget(tx, after);
        record(...assignmentEvents(moved));
        return after;
      });
    },

    /**
     * Moves the project to the trash, stops its timers and stores the assignments for a restore. Records are not
     * deleted.
     */
    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(actor.context, async (tx) => {
        const project = await lockManaged(tx, actor, id);
        requireVersion(project, expectedVersion);
        const assigned_user_ids = await assignments.listUserIds(tx, id);
        await endTimers(tx, { project_id: id });
        const deleted_at = await projects.trash(tx, id, assigned_user_ids);
        await endMemberships(tx, [{ project_id: id, user_ids: assigned_user_ids }], endTimers);
        tx.record({ type: 'project.deleted', project, deleted_at, assigned_user_ids });
      });
    },

    restore(actor: Actor, id: number) {
      return store.transaction(actor.context, async (tx) => {
        const { record } = tx;
        const found = await requireInTrash(tx, actor, await projects.find(tx, id));
        const former = found.former_user_ids ?? [];
        // Lock order: users before projects. What was read without the lock of the project is checked again.
        const users = await lockAllUsers(tx, former);
        const project = await requireInTrash(tx, actor, await projects.lock(tx, id));
        if (project.former_user_ids?.join() !== found.former_user_ids?.join())
          throw new ConflictError('CONFLICT', 'conflict');
        await projects.restore(tx, id);
        const assignable = new Set(users.filter(isAssignable).map((user) => user.id));
        const assignees = former.filter((userId) => assignable.has(userId));
        const changes = await assignments.replaceAll(tx, actor, [id], assignees, assignees);
        const restored = await projects.get(tx, actor, id);
        record(
          { type: 'project.restored', project: restored, deleted_at: project.deleted_at },
          ...assignmentEvents(changes),
        );
        return restored;
      });
    },
  };
}

export type ProjectService = ReturnType<typeof createProjectService>;

/** `given`: the list of the request, which names them by index; without it, the request used the deprecated field. */
function requireInScope(userIds: readonly number[], inScope: ReadonlySet<number>, given?: readonly number[]): void {
  const listed = given ?? userIds;
  const outside = listed.flatMap((id, index) => (inScope.has(id) ? [] : [`assigned_user_ids[${index}]`]));
  if (outside.length > 0) throw new OutOfScopeError(outside);
}

/** `single`: the request used the deprecated field. */
function requireAssignable(userIds: readonly number[], allowed: readonly { id: number }[], single = false): void {
  const ids = new Set(allowed.map((user) => user.id));
  const field = (index: number) => (single ? 'assigned_user_id' : `assigned_user_ids[${index}]`);
  const invalid = userIds.flatMap((id, index) => (ids.has(id) ? [] : [field(index)]));
  if (invalid.length > 0)
    throw new ValidationError(invalid.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
}
