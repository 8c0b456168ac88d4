import type { Actor } from '../../../actor.ts';
import type { FairQueue } from '../../../lib/fair-queue.ts';
import { OutOfScopeError } from '../../../texts/access-errors.ts';
import { NotFoundError, UnavailableError, ValidationError } from '../../../texts/errors.ts';
import type { Locale } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { lockInScope, requireGroups } from '../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../accounts/groups/group-repository.ts';
import { isAssignable, lockUsers } from '../../accounts/user-locks/user-locks.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { assignmentEvents, changedUsers, endMemberships } from './assignment-changes.ts';
import type { AssignmentChange } from './assignment-repository.ts';
import * as assignments from './assignment-repository.ts';
import { type BatchAssignInput, limits } from './assignment-schemas.ts';
import { type BatchOutcome, type BatchReport, reportBatch, userFailure } from './batch-report.ts';

type Targets = { projectIds: readonly number[]; userIds: readonly number[]; groupIds: readonly number[] };

export type AssignmentServiceOptions = { store: Db; endTimers: EndTimers; queue: FairQueue };

export function createAssignmentService({ store, endTimers, queue }: AssignmentServiceOptions) {
  /** Shape A: valid pairs are applied, the others are reported. */
  function assignValid(actor: Actor, type: BatchOutcome['type'], targets: Targets) {
    const { projectIds, groupIds } = targets;
    return store.transaction(actor.context, async (tx) => {
      await requireGroups(tx, actor, groupIds, (index) => `group_ids[${index}]`);
      const members = await membersOf(tx, groupIds);
      const userIds = [...new Set([...targets.userIds, ...members])];
      requireSize(userIds.length, projectIds.length);
      const locked = await lockAll(tx, actor, projectIds, userIds);
      const existing = projectIds.filter((id) => locked.projects.has(id) && locked.inScope.projects.has(id));
      const valid = userIds.filter((id) => userFailure(locked.users.get(id), { type, ...locked }) === undefined);
      const write: Record<BatchOutcome['type'], () => Promise<AssignmentChange[]>> = {
        add: () => assignments.addAll(tx, existing, valid),
        remove: () => assignments.removeAll(tx, existing, valid),
        // A pair that cannot be processed is left unchanged, so all requested users stay on the list.
        replace: () => assignments.replaceAll(tx, actor, existing, userIds, valid),
      };
      const changes = await write[type]();
      await endMemberships(tx, changedUsers('removed', changes), endTimers);
      return complete(tx, { type, projectIds, userIds, ...locked, changes });
    });
  }

  /** Shape B: replaces the list of every project, or changes nothing. */
  function assignAll(actor: Actor, input: BatchAssignInput) {
    const { assigned_user_ids: given = [] } = input;
    const [projectIds, userIds] = [[...new Set(input.project_ids)], [...new Set(given)]];
    return store.transaction(actor.context, async (tx) => {
      const locked = await lockAll(tx, actor, projectIds, userIds);
      const { users, busy, projects, inScope } = locked;
      if (busy.size > 0) throw new UnavailableError();
      if (projects.size < projectIds.length) throw new NotFoundError('project_not_found');
      const outside = [
        ...input.project_ids.flatMap((id, index) => (inScope.projects.has(id) ? [] : [`project_ids[${index}]`])),
        ...given.flatMap((id, index) => (inScope.users.has(id) ? [] : [`assigned_user_ids[${index}]`])),
      ];
      if (actor.role === 'class_admin' && outside.length > 0) throw new OutOfScopeError(outside);
      const invalid = given.flatMap((id, index) =>
        isAssignable(users.get(id)) ? [] : [`assigned_user_ids[${index}]`],
      );
      if (invalid.length > 0)
        throw new ValidationError(invalid.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
      const changes = await assignments.replaceAll(tx, actor, projectIds, userIds, userIds);
      await endMemberships(tx, changedUsers('removed', changes), endTimers);
      return complete(tx, { type: 'replace', projectIds, userIds, ...locked, changes });
    });
  }

  return {
    /** Throws NotFoundError and ValidationError for shape B only; shape A reports what failed. */
    async batchAssign(actor: Actor, input: BatchAssignInput, locale: Locale): Promise<BatchReport> {
      const { user_ids = [], group_ids = [], assign_type } = input;
      const projectIds = [...new Set(input.project_ids)];
      const outcome = await queue.run(`${actor.id}`, () =>
        assign_type === undefined
          ? assignAll(actor, input)
          : assignValid(actor, assign_type, { projectIds, userIds: [...new Set(user_ids)], groupIds: group_ids }),
      );
      return reportBatch(outcome, locale); // after the locks of its transaction
    },
  };
}

export type AssignmentService = ReturnType<typeof createAssignmentService>;

/**
 * The groups' current active members. They are locked later, since users are locked before projects; a member
 * deactivated in between is reported as a failure. Throws ValidationError for unknown groups.
 */
async function membersOf(tx: Tx, groupIds: readonly number[]): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const members = await groups.listActiveMembers(tx, [...new Set(groupIds)]);
  const known = new Set(members.map((member) => member.group_id));
  const unknown = groupIds.flatMap((id, index) => (known.has(id) ? [] : [`group_ids[${index}]`]));
  if (unknown.length > 0)
    throw new ValidationError(unknown.map((field) => ({ field, message: { key: 'group_unknown' } })));
  return members.flatMap(({ user_id }) => user_id ?? []);
}

/** The limits that the schema applies to `user_ids`, now with the members of groups. */
function requireSize(users: number, projects: number): void {
  if (users > limits.users) throw ValidationError.of('group_ids', 'too_many_items', { maximum: limits.users });
  if (users * projects > limits.pairs)
    throw ValidationError.of('group_ids', 'too_many_pairs', { maximum: limits.pairs });
}

/** Users before projects, each in id order: overlapping batches wait for one another and never deadlock. */
async function lockAll(tx: Tx, actor: Actor, projectIds: readonly number[], userIds: readonly number[]) {
  const locked = await lockUsers(tx, userIds);
  const users = new Map(locked.users.map((user) => [user.id, user]));
  const usersInScope = await lockInScope(tx, actor, userIds);
  const projects = new Map(
    (await assignments.lockProjects(tx, projectIds)).map((project) => [project.id, project.name]),
  );
  const projectsInScope =
    actor.role === 'class_admin'
      ? (await assignments.listInScope(tx, actor.id, projectIds)).map((project) => project.id)
      : projectIds;
  const inScope = { users: usersInScope, projects: new Set(projectsInScope) };
  return { users, busy: locked.busy, projects, inScope };
}

async function complete(tx: Tx, outcome: Omit<BatchOutcome, 'removedNames'>): Promise<BatchOutcome> {
  tx.record(...assignmentEvents(outcome.changes));
  const left = outcome.changes.flatMap((change) => change.removed);
  const removedNames =
    outcome.type === 'replace' && left.length > 0
      ? await assignments.listUsernames(tx, [...new Set(left)])
      : new Map<number, string>();
  return { ...outcome, removedNames };
}
