import type { Database, Transaction } from '../../db/database.ts';
import { NotFoundError, ValidationError } from '../../errors.ts';
import { unique } from '../../lib/unique.ts';
import type { Locale } from '../../messages/index.ts';
import type { Actor } from '../auth/identity.ts';
import { type AssignmentChange, createAssignmentRepository, isAssignable } from './assignment-repository.ts';
import type { BatchAssignInput } from './assignment-schemas.ts';
import { type BatchOutcome, type BatchReport, reportBatch, userFailure } from './batch-report.ts';

/** Assigning many projects to many users at once. The number of statements does not grow with either. */
export function createAssignmentService(database: Database) {
  const reading = createAssignmentRepository(database);

  /** Users before projects, each in id order: overlapping batches wait for one another and never deadlock. */
  async function lockAll(tx: Transaction, projectIds: readonly number[], userIds: readonly number[]) {
    const assignments = createAssignmentRepository(tx);
    const users = new Map((await assignments.lockUsers(userIds)).map((user) => [user.id, user]));
    const projects = new Map((await assignments.lockProjects(projectIds)).map((project) => [project.id, project.name]));
    return { assignments, users, projects };
  }

  async function complete(
    tx: Transaction,
    outcome: Omit<BatchOutcome, 'removedNames'>,
    locale: Locale,
  ): Promise<BatchReport> {
    const membership = outcome.changes.filter(({ change }) => change !== 'moved');
    tx.bumpListVersions(membership.map((change) => change.user_id));
    const removed = membership.filter(({ change }) => change === 'removed').map((change) => change.user_id);
    const removedNames =
      outcome.type === 'replace' && removed.length > 0
        ? await createAssignmentRepository(tx).listUsernames(unique(removed))
        : new Map<number, string>();
    return reportBatch({ ...outcome, removedNames }, locale);
  }

  /** Shape A: what is valid is applied, what is not is explained. */
  function assignValid(
    actor: Actor,
    type: BatchOutcome['type'],
    projectIds: readonly number[],
    userIds: readonly number[],
    locale: Locale,
  ) {
    return database.transaction(async (tx) => {
      const { assignments, users, projects } = await lockAll(tx, projectIds, userIds);
      const existing = projectIds.filter((id) => projects.has(id));
      const valid = userIds.filter((id) => userFailure(users.get(id), type) === undefined);
      const write: Record<BatchOutcome['type'], () => Promise<AssignmentChange[]>> = {
        add: () => assignments.addAll(existing, valid),
        remove: () => assignments.removeAll(existing, valid),
        // A pair that cannot be processed is left as it stands, so all users asked about are kept.
        replace: () => assignments.replaceAll(existing, userIds, valid),
      };
      const changes = await write[type]();
      return complete(tx, { type, projectIds, userIds, projects, users, changes }, locale);
    }, actor.act);
  }

  /** Shape B: the list becomes that of every project, or nothing changes. */
  function assignAll(actor: Actor, projectIds: readonly number[], given: readonly number[], locale: Locale) {
    const userIds = unique(given);
    return database.transaction(async (tx) => {
      const { assignments, users, projects } = await lockAll(tx, projectIds, userIds);
      if (projects.size < projectIds.length) throw new NotFoundError('project_not_found');
      const bad = given.flatMap((id, index) => (isAssignable(users.get(id)) ? [] : [`assigned_user_ids[${index}]`]));
      if (bad.length > 0)
        throw new ValidationError(bad.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
      const changes = await assignments.replaceAll(projectIds, userIds, userIds);
      return complete(tx, { type: 'replace', projectIds, userIds, projects, users, changes }, locale);
    }, actor.act);
  }

  return {
    /** Throws NotFoundError and ValidationError for shape B only; shape A reports what failed. */
    batchAssign(actor: Actor, input: BatchAssignInput, locale: Locale): Promise<BatchReport> {
      const { user_ids = [], assign_type, assigned_user_ids = [] } = input;
      const projectIds = unique(input.project_ids);
      return assign_type === undefined
        ? assignAll(actor, projectIds, assigned_user_ids, locale)
        : assignValid(actor, assign_type, projectIds, unique(user_ids), locale);
    },
    listAssignments: (projectId: number) => reading.listAssignments(projectId),
    listMembers: (projectId: number) => reading.listMembers(projectId),
  };
}

export type AssignmentService = ReturnType<typeof createAssignmentService>;
