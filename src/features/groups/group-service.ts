import { NotFoundError, PreconditionFailedError, ValidationError } from '../../errors.ts';
import { unique } from '../../lib/unique.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { lockAllUsers } from '../assignments/assignment-changes.ts';
import type { Actor } from '../auth/identity.ts';
import {
  type ChangeMembersInput,
  type CreateGroupInput,
  type ListGroupsQuery,
  maxMembers,
  type UpdateGroupInput,
} from './group-schemas.ts';

type Field = 'user_ids' | 'add';

export function createGroupService({ store }: { store: Store }) {
  async function get({ groups }: Store, id: number) {
    const found = await groups.find(id);
    if (found === undefined) throw new NotFoundError('group_not_found');
    return found;
  }

  /** Locks the future members, then the group. Current members may stay, whatever their role. */
  async function lockWithUsers(tx: TransactionStore, id: number, field: Field, userIds: readonly number[]) {
    const ordinary = await lockOrdinary(tx, userIds);
    if ((await tx.groups.lock(id)) === undefined) throw new NotFoundError('group_not_found');
    const { group, members } = await get(tx, id);
    requireAll(field, userIds, new Set([...ordinary, ...members.map((member) => member.user_id)]));
    return group;
  }

  return {
    list: (query: ListGroupsQuery) => store.groups.list(query),
    get: (id: number) => get(store, id),

    create(requestStore: Store, actor: Actor, { name, user_ids }: CreateGroupInput) {
      return requestStore.transaction(async (tx) => {
        requireAll('user_ids', user_ids, await lockOrdinary(tx, user_ids));
        const id = await tx.groups.insert(name);
        tx.record({ type: 'group.created', group: { id, name } });
        await saveMembers(tx, id, { add: user_ids });
        return get(tx, id);
      }, actor.context);
    },

    /** Updates the given fields; `user_ids` replaces the list of members. */
    update(actor: Actor, id: number, { name, user_ids }: UpdateGroupInput, expectedVersion: number | undefined) {
      return store.transaction(async (tx) => {
        const group = await lockWithUsers(tx, id, 'user_ids', user_ids ?? []);
        requireVersion(group.row_version, expectedVersion);
        if (name !== undefined && name !== group.name) {
          await tx.groups.rename(id, name);
          tx.record({ type: 'group.renamed', id, before: group.name, after: name });
        }
        if (user_ids !== undefined)
          await saveMembers(tx, id, { removed: await tx.groups.removeOthers(id, user_ids), add: user_ids });
        return get(tx, id);
      }, actor.context);
    },

    /** Leaves other members unchanged, also those added concurrently. */
    changeMembers(actor: Actor, id: number, { add, remove }: ChangeMembersInput) {
      return store.transaction(async (tx) => {
        await lockWithUsers(tx, id, 'add', add);
        await saveMembers(tx, id, { removed: await tx.groups.removeMembers(id, remove), add });
        return get(tx, id);
      }, actor.context);
    },

    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(async (tx) => {
        const group = await tx.groups.lock(id);
        if (group === undefined) throw new NotFoundError('group_not_found');
        requireVersion(group.row_version, expectedVersion);
        recordMembers(tx, id, 'removed', await tx.groups.removeOthers(id, []));
        await tx.groups.delete(id);
        tx.record({ type: 'group.deleted', group });
      }, actor.context);
    },
  };
}

export type GroupService = ReturnType<typeof createGroupService>;

type MemberChange = { removed?: readonly number[]; add: readonly number[] };
async function saveMembers(tx: TransactionStore, id: number, { removed = [], add }: MemberChange): Promise<void> {
  const added = await tx.groups.addMembers(id, unique(add));
  if (removed.length + added.length > 0) await tx.groups.countMembers([id]);
  recordMembers(tx, id, 'removed', removed);
  recordMembers(tx, id, 'added', added);
}

function recordMembers(
  { record }: TransactionStore,
  id: number,
  change: 'added' | 'removed',
  user_ids: readonly number[],
): void {
  if (user_ids.length > 0) record({ type: 'group.members_changed', id, change, user_ids });
}

/**
 * The memberships of a locked user that come from elsewhere: those in the existing groups with these names, instead of `previous`.
 * Others stay, even if they are named. Full groups are left out. `ids`: these memberships; `found`: with those of others.
 */
export async function replaceMemberships(
  tx: TransactionStore,
  userId: number,
  names: readonly string[],
  previous: readonly number[],
): Promise<{ ids: number[]; found: number }> {
  const named = new Map((await tx.groups.findByNames(names, userId)).map((group) => [group.id, group]));
  const hasRoom = (id: number, membersCount: number) => previous.includes(id) || membersCount < maxMembers;
  const kept: number[] = [];
  let others = 0;
  for (const id of unique([...previous, ...named.keys()]).sort((a, b) => a - b)) {
    const found = named.get(id);
    // Most sign-ins change nothing, and must not wait for a group that somebody changes.
    if (found?.is_member) {
      if (previous.includes(id)) kept.push(id);
      else others += 1;
      continue;
    }
    const group = await tx.groups.lock(id);
    if (group === undefined) continue;
    if (found === undefined)
      await saveMembers(tx, id, { removed: await tx.groups.removeMembers(id, [userId]), add: [] });
    else if (hasRoom(id, group.members_count)) {
      await saveMembers(tx, id, { add: [userId] });
      kept.push(id);
    }
  }
  return { ids: kept, found: kept.length + others };
}

async function lockOrdinary(tx: TransactionStore, userIds: readonly number[]): Promise<Set<number>> {
  const users = await lockAllUsers(tx, userIds);
  return new Set(users.filter((user) => user.role === 'user').map((user) => user.id));
}

function requireAll(field: Field, userIds: readonly number[], allowed: ReadonlySet<number>): void {
  const invalid = userIds.flatMap((id, index) => (allowed.has(id) ? [] : [`${field}[${index}]`]));
  if (invalid.length > 0)
    throw new ValidationError(invalid.map((name) => ({ field: name, message: { key: 'user_not_ordinary' } })));
}

function requireVersion(version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw new PreconditionFailedError();
}
