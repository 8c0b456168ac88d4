import { NotFoundError, UnavailableError, ValidationError } from '../../errors.ts';
import { unique } from '../../lib/unique.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import type { EndTimers } from '../timer/timer-service.ts';
import { assignmentEvents, endMemberships, isAssignable, lockUsers, removed } from './assignment-changes.ts';
import type { AssignmentChange } from './assignment-repository.ts';
import { type BatchAssignInput, limits } from './assignment-schemas.ts';
import { type BatchOutcome, type BatchReport, reportBatch, userFailure } from './batch-report.ts';

type Targets = { projectIds: readonly number[]; userIds: readonly number[]; groupIds: readonly number[] };

export type AssignmentServiceOptions = { store: Store; endTimers: EndTimers };

export function createAssignmentService({ store, endTimers }: AssignmentServiceOptions) {
  /** Shape A: valid pairs are applied, the others are reported. */
  function assignValid(actor: Actor, type: BatchOutcome['type'], targets: Targets, locale: Locale) {
    const { projectIds, groupIds } = targets;
    return store.transaction(async (tx) => {
      const members = await membersOf(tx, groupIds);
      const userIds = unique([...targets.userIds, ...members]);
      requireSize(userIds.length, projectIds.length);
      const { users, busy, projects } = await lockAll(tx, projectIds, userIds);
      const existing = projectIds.filter((id) => projects.has(id));
      const valid = userIds.filter((id) => userFailure(users.get(id), { type, busy }) === undefined);
      const write: Record<BatchOutcome['type'], () => Promise<AssignmentChange[]>> = {
        add: () => tx.assignments.addAll(existing, valid),
        remove: () => tx.assignments.removeAll(existing, valid),
        // A pair that cannot be processed is left unchanged, so all requested users stay on the list.
        replace: () => tx.assignments.replaceAll(existing, userIds, valid),
      };
      const changes = await write[type]();
      await endMemberships(tx, removed(changes), endTimers);
      return complete(tx, { type, projectIds, userIds, projects, users, busy, changes }, locale);
    }, actor.context);
  }

  /** Shape B: replaces the list of every project, or changes nothing. */
  function assignAll(actor: Actor, projectIds: readonly number[], given: readonly number[], locale: Locale) {
    const userIds = unique(given);
    return store.transaction(async (tx) => {
      const { users, busy, projects } = await lockAll(tx, projectIds, userIds);
      if (busy.size > 0) throw new UnavailableError();
      if (projects.size < projectIds.length) throw new NotFoundError('project_not_found');
      const invalid = given.flatMap((id, index) =>
        isAssignable(users.get(id)) ? [] : [`assigned_user_ids[${index}]`],
      );
      if (invalid.length > 0)
        throw new ValidationError(invalid.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
      const changes = await tx.assignments.replaceAll(projectIds, userIds, userIds);
      await endMemberships(tx, removed(changes), endTimers);
      return complete(tx, { type: 'replace', projectIds, userIds, projects, users, busy, changes }, locale);
    }, actor.context);
  }

  return {
    /** Throws NotFoundError and ValidationError for shape B only; shape A reports what failed. */
    batchAssign(actor: Actor, input: BatchAssignInput, locale: Locale): Promise<BatchReport> {
      const { user_ids = [], group_ids = [], assign_type, assigned_user_ids = [] } = input;
      const projectIds = unique(input.project_ids);
      return assign_type === undefined
        ? assignAll(actor, projectIds, assigned_user_ids, locale)
        : assignValid(actor, assign_type, { projectIds, userIds: unique(user_ids), groupIds: group_ids }, locale);
    },
  };
}

export type AssignmentService = ReturnType<typeof createAssignmentService>;

/**
 * The groups' current active members. They are locked later, since users are locked before projects; a member
 * deactivated in between is reported as a failure. Throws ValidationError for unknown groups.
 */
async function membersOf({ groups }: TransactionStore, groupIds: readonly number[]): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const members = await groups.listActiveMembers(unique(groupIds));
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
async function lockAll(tx: TransactionStore, projectIds: readonly number[], userIds: readonly number[]) {
  const locked = await lockUsers(tx, userIds);
  const users = new Map(locked.users.map((user) => [user.id, user]));
  const projects = new Map(
    (await tx.assignments.lockProjects(projectIds)).map((project) => [project.id, project.name]),
  );
  return { users, busy: locked.busy, projects };
}

async function complete(
  { assignments, record }: TransactionStore,
  outcome: Omit<BatchOutcome, 'removedNames'>,
  locale: Locale,
): Promise<BatchReport> {
  record(...assignmentEvents(outcome.changes));
  const left = removed(outcome.changes).map((change) => change.user_id);
  const removedNames =
    outcome.type === 'replace' && left.length > 0
      ? await assignments.listUsernames(unique(left))
      : new Map<number, string>();
  return reportBatch({ ...outcome, removedNames }, locale);
}
