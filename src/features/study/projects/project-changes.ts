import { type Actor, isAdministrator } from '../../../actor.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { createWriteBatch, type WriteRequest } from '../../../transactions/write-batch.ts';
import * as projects from './project-repository.ts';
import { type EditableFields, editableFields, type NewProject, type ProjectState } from './project-repository.ts';
import type { UpdateProjectInput } from './project-schemas.ts';

/** Creates together the projects without assigned users that arrive at the same time. */
export const createProjectCreation = (db: Db) =>
  createWriteBatch(db, async (tx, requests: readonly WriteRequest<NewProject>[], alone) => {
    const created = await projects.create(tx, requests, alone);
    for (const [index, project] of created.entries())
      if (!(project instanceof Error))
        tx.record({ type: 'project.created', project, by: requests[index]?.actor.context });
    return created;
  });

/** `shown` has the color that the client has read, which it may send back. */
export function changedFields(shown: ProjectState, input: UpdateProjectInput): Partial<EditableFields> {
  const changed = editableFields.filter((field) => input[field] !== undefined && input[field] !== shown[field]);
  return Object.fromEntries(changed.map((field) => [field, input[field]]));
}

/** Restarts when the goal changes or the project is resumed. `changes` are the fields that differ. */
export const restartsPlan = ({ due_date, target_hours, status }: Partial<EditableFields>): boolean =>
  due_date !== undefined || target_hours !== undefined || status === 'active';

/** The list takes precedence over the single field; a single user is a list of one. */
export function requestedUsers({ assigned_user_id, assigned_user_ids }: UpdateProjectInput): number[] {
  if (assigned_user_ids !== undefined) return [...new Set(assigned_user_ids)];
  return typeof assigned_user_id === 'number' ? [assigned_user_id] : [];
}

/**
 * The new list, or undefined if nothing changes. Old clients that send back the single field as they read it must not
 * remove the other users. `current`: those that the actor sees. Ordinary owners may send only an unchanged value.
 */
export function newAssignees(
  actor: Actor,
  input: UpdateProjectInput,
  current: readonly number[],
): number[] | undefined {
  if (input.assigned_user_ids === undefined && input.assigned_user_id === undefined) return undefined;
  const requested = requestedUsers(input);
  const same =
    input.assigned_user_ids === undefined
      ? (input.assigned_user_id ?? null) === (current[0] ?? null)
      : requested.length === current.length && requested.every((id, index) => id === current[index]);
  if (same) return undefined;
  if (!isAdministrator(actor)) throw new PermissionDeniedError('assigning_is_for_admins');
  return requested;
}
