import type { Database, Executor, Transaction } from '../../db/database.ts';
import {
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  ValidationError,
} from '../../errors.ts';
import { unique } from '../../lib/unique.ts';
import { createAssignmentRepository, isAssignable } from '../assignments/assignment-repository.ts';
import type { Actor } from '../auth/identity.ts';
import { likePattern } from './project-list-read-model.ts';
import { canManageProject } from './project-policy.ts';
import { createProjectRepository, type ProjectPatch, type ProjectRow } from './project-repository.ts';
import type { CreateProjectInput, UpdateProjectInput } from './project-schemas.ts';

export type ProjectServiceOptions = {
  database: Database;
  /** Ends the timers that run on a project whose row the caller holds. */
  stopRunningTimers: (tx: Transaction, projectId: number) => Promise<void>;
};

const patchable = ['name', 'description', 'status', 'category', 'target_hours', 'rating_standard'] as const;

/** The life of a project. Every method throws NotFoundError and PermissionDeniedError where they apply. */
export function createProjectService({ database, stopRunningTimers }: ProjectServiceOptions) {
  const reading = createProjectRepository(database);

  /** Locks a project that the actor may change. */
  async function lockManaged(tx: Transaction, actor: Actor, id: number): Promise<ProjectRow> {
    const project = await createProjectRepository(tx).lock(id);
    if (project === undefined || project.deleted_at !== null) throw new NotFoundError('project_not_found');
    if (!canManageProject(actor, project)) throw new PermissionDeniedError('project_not_yours');
    return project;
  }

  return {
    /** One project with its figures; the JSON text is open at its end for the achievements. */
    async getDetail(actor: Actor, id: number) {
      const project = await reading.findDetail(actor, id);
      if (project === undefined) throw new NotFoundError('project_not_found');
      if (!project.visible) throw new PermissionDeniedError('project_not_visible');
      return project;
    },

    /** Creates a project of the actor's; one of an administrator is assigned at once. */
    async create(db: Executor, actor: Actor, input: CreateProjectInput) {
      const { assigned_user_ids: assignees, ...fields } = input;
      if (actor.role !== 'admin') return createProjectRepository(db).insertOwn(actor, fields);
      return db.transaction(async (tx) => {
        const users = await createAssignmentRepository(tx).lockUsers(assignees);
        requireAssignable(assignees, users.filter(isAssignable));
        const projects = createProjectRepository(tx);
        const id = await projects.insert(actor.id, fields);
        await createAssignmentRepository(tx).replaceAll([id], unique(assignees), assignees);
        tx.bumpListVersions([actor.id, ...assignees]);
        return { id, ...(await projects.readJson(actor, id)) };
      }, actor.act);
    },

    /** Changes what differs. A change of nothing writes nothing. */
    update(actor: Actor, id: number, input: UpdateProjectInput, expectedVersion: number | undefined) {
      return database.transaction(async (tx) => {
        const projects = createProjectRepository(tx);
        const assignments = createAssignmentRepository(tx);
        // Users come before projects in the order of locks.
        const users = actor.role === 'admin' ? await assignments.lockUsers(requestedUsers(input)) : [];
        const project = await lockManaged(tx, actor, id);
        const present = await assignments.listUserIds(id);
        const wanted = wantedUsers(actor, input, present);
        // Whoever is assigned already may stay, also when inactive by now: a client may send back what it read.
        const fine = [...users.filter(isAssignable), ...present.map((userId) => ({ id: userId }))];
        if (wanted !== undefined)
          requireAssignable(input.assigned_user_ids ?? wanted, fine, input.assigned_user_ids === undefined);
        requireVersion(project, expectedVersion);
        const patch = difference(project, input);
        const changed = Object.keys(patch).length > 0;
        if (changed) await projects.update(id, patch);
        if (wanted !== undefined) await assignments.replaceAll([id], wanted, wanted);
        if (changed || wanted !== undefined) tx.bumpListVersions([project.user_id, ...present, ...(wanted ?? [])]);
        return projects.readJson(actor, id);
      }, actor.act);
    },

    /** Moves the project to the trash: its timers end, its assignments go and are remembered. Records stay. */
    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return database.transaction(async (tx) => {
        const project = await lockManaged(tx, actor, id);
        requireVersion(project, expectedVersion);
        const projects = createProjectRepository(tx);
        tx.bumpListVersions([project.user_id, ...(await createAssignmentRepository(tx).listUserIds(id))]);
        await stopRunningTimers(tx, id);
        await projects.trash(id);
      }, actor.act);
    },

    /** Brings a project back, with the assignments of those who can still be assigned. */
    restore(actor: Actor, id: number) {
      return database.transaction(async (tx) => {
        const projects = createProjectRepository(tx);
        const assignments = createAssignmentRepository(tx);
        const found = await projects.find(id);
        requireInTrash(actor, found);
        const former = found.former_user_ids ?? [];
        // Users are locked before projects; what was read without the project's lock is checked again with it.
        const users = await assignments.lockUsers(former);
        const project = await projects.lock(id);
        requireInTrash(actor, project);
        if (project.former_user_ids?.join() !== found.former_user_ids?.join())
          throw new ConflictError('CONFLICT', 'conflict');
        await projects.restore(id);
        const assignable = new Set(users.filter(isAssignable).map((user) => user.id));
        const back = former.filter((userId) => assignable.has(userId));
        await assignments.replaceAll([id], back, back);
        tx.bumpListVersions([project.user_id, ...back]);
        return projects.readJson(actor, id);
      }, actor.act);
    },

    /** Active ordinary users by name, for assignment. */
    listAssignable: (search: string | undefined) =>
      reading.listAssignable(search === undefined ? null : likePattern(search)),
  };
}

export type ProjectService = ReturnType<typeof createProjectService>;

function requireVersion(project: ProjectRow, expected: number | undefined): void {
  if (expected !== undefined && expected !== project.row_version) throw new PreconditionFailedError();
}

/** Existence and permission first: who may not manage a project does not learn that it is in the trash. */
function requireInTrash(actor: Actor, project: ProjectRow | undefined): asserts project is ProjectRow {
  if (project === undefined) throw new NotFoundError('project_not_found');
  if (!canManageProject(actor, project)) {
    throw project.deleted_at === null
      ? new PermissionDeniedError('project_not_yours')
      : new NotFoundError('project_not_found');
  }
  if (project.deleted_at === null) throw new ConflictError('CONFLICT', 'project_not_in_trash');
}

/** `single` when the one user was named by the former field. */
function requireAssignable(userIds: readonly number[], fine: readonly { id: number }[], single = false): void {
  const ids = new Set(fine.map((user) => user.id));
  const field = (index: number) => (single ? 'assigned_user_id' : `assigned_user_ids[${index}]`);
  const bad = userIds.flatMap((id, index) => (ids.has(id) ? [] : [field(index)]));
  if (bad.length > 0)
    throw new ValidationError(bad.map((field) => ({ field, message: { key: 'user_not_assignable' } })));
}

function difference(project: ProjectRow, input: UpdateProjectInput): ProjectPatch {
  const changed = patchable.filter((field) => input[field] !== undefined && input[field] !== project[field]);
  return Object.fromEntries(changed.map((field) => [field, input[field]]));
}

/** The list wins over the single field; a single user is a list of one. */
function requestedUsers({ assigned_user_id, assigned_user_ids }: UpdateProjectInput): number[] {
  if (assigned_user_ids !== undefined) return unique(assigned_user_ids);
  return typeof assigned_user_id === 'number' ? [assigned_user_id] : [];
}

/**
 * The new list, or undefined when nothing changes. An old client that echoes the single field with its present value
 * must not wipe out the others. From an ordinary owner only such an echo is accepted.
 */
function wantedUsers(actor: Actor, input: UpdateProjectInput, present: readonly number[]): number[] | undefined {
  if (input.assigned_user_ids === undefined && input.assigned_user_id === undefined) return undefined;
  const requested = requestedUsers(input);
  const same =
    input.assigned_user_ids === undefined
      ? (input.assigned_user_id ?? null) === (present[0] ?? null)
      : requested.length === present.length && requested.every((id, index) => id === present[index]);
  if (same) return undefined;
  if (actor.role !== 'admin') throw new PermissionDeniedError('assigning_is_for_admins');
  return requested;
}
