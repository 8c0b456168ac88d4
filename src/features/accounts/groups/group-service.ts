import type { Actor } from '../../../actor.ts';
import { OutOfScopeError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError, PreconditionFailedError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { limitOf, lockInScope, requireGroups } from '../admin-scope/admin-scope.ts';
import { lockAllUsers } from '../user-locks/user-locks.ts';
import * as groups from './group-repository.ts';
import {
  type ChangeMembersInput,
  type CreateGroupInput,
  type ListGroupsQuery,
  maxMembers,
  type UpdateGroupInput,
} from './group-schemas.ts';

type Field = 'user_ids' | 'add';

export function createGroupService({ store }: { store: Db }) {
  async function get(db: Db, id: number) {
    const found = await groups.find(db, id);
    if (found === undefined) throw new NotFoundError('group_not_found');
    return found;
  }

  /** Locks the future members, then the group. Current members may stay, whatever their role. */
  async function lockWithUsers(tx: Tx, actor: Actor, id: number, field: Field, userIds: readonly number[]) {
    const ordinary = await lockOrdinary(tx, userIds);
    if ((await groups.lock(tx, id)) === undefined) throw new NotFoundError('group_not_found');
    const { group, members } = await get(tx, id);
    await requireGroups(tx, actor, [id]);
    const current = members.map((member) => member.user_id);
    requireAll(field, userIds, new Set([...ordinary, ...current]));
    const inScope = new Set([...(await lockInScope(tx, actor, userIds)), ...current]);
    const outside = userIds.flatMap((userId, index) => (inScope.has(userId) ? [] : [`${field}[${index}]`]));
    if (outside.length > 0) throw new OutOfScopeError(outside);
    return group;
  }

  return {
    list: (actor: Actor, query: ListGroupsQuery) => groups.list(store, { ...query, limitedTo: limitOf(actor) }),
    /** Throws OutOfScopeError for a group that is not one of a limited administrator. */
    async get(actor: Actor, id: number) {
      const found = await get(store, id);
      await requireGroups(store, actor, [id]);
      return found;
    },

    create(requestStore: Db, actor: Actor, { name, user_ids }: CreateGroupInput) {
      return requestStore.transaction(actor.context, async (tx) => {
        requireAll('user_ids', user_ids, await lockOrdinary(tx, user_ids));
        const id = await groups.insert(tx, name);
        tx.record({ type: 'group.created', group: { id, name } });
        await saveMembers(tx, id, { add: user_ids });
        return get(tx, id);
      });
    },

    /** Updates the given fields; `user_ids` replaces the list of members. */
    update(actor: Actor, id: number, { name, user_ids }: UpdateGroupInput, expectedVersion: number | undefined) {
      return store.transaction(actor.context, async (tx) => {
        const group = await lockWithUsers(tx, actor, id, 'user_ids', user_ids ?? []);
        requireVersion(group.row_version, expectedVersion);
        if (name !== undefined && name !== group.name) {
          if (actor.role !== 'admin') throw new PermissionDeniedError('whole_school_only');
          await groups.rename(tx, id, name);
          tx.record({ type: 'group.renamed', id, before: group.name, after: name });
        }
        if (user_ids !== undefined)
          await saveMembers(tx, id, { removed: await groups.removeOthers(tx, id, user_ids), add: user_ids });
        return get(tx, id);
      });
    },

    /** Leaves other members unchanged, also those added concurrently. */
    changeMembers(actor: Actor, id: number, { add, remove }: ChangeMembersInput) {
      return store.transaction(actor.context, async (tx) => {
        await lockWithUsers(tx, actor, id, 'add', add);
        await saveMembers(tx, id, { removed: await groups.removeMembers(tx, id, remove), add });
        return get(tx, id);
      });
    },

    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(actor.context, async (tx) => {
        const group = await groups.lock(tx, id);
        if (group === undefined) throw new NotFoundError('group_not_found');
        requireVersion(group.row_version, expectedVersion);
        recordMembers(tx, id, 'removed', await groups.removeOthers(tx, id, []));
        await groups.remove(tx, id);
        tx.record({ type: 'group.deleted', group });
      });
    },
  };
}

export type GroupService = ReturnType<typeof createGroupService>;

/** Adds new accounts to groups, which are locked in id order. Throws ValidationError. */
export async function joinGroups(tx: Tx, groupIds: readonly number[], userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  for (const id of [...new Set(groupIds)].sort((a, b) => a - b)) {
    if ((await groups.lock(tx, id)) === undefined)
      throw ValidationError.of(`group_ids[${groupIds.indexOf(id)}]`, 'group_unknown');
    await saveMembers(tx, id, { add: userIds });
  }
}

type MemberChange = { removed?: readonly number[]; add: readonly number[] };
async function saveMembers(tx: Tx, id: number, { removed = [], add }: MemberChange): Promise<void> {
  const added = await groups.addMembers(tx, id, [...new Set(add)]);
  if (removed.length + added.length > 0) await groups.countMembers(tx, [id]);
  recordMembers(tx, id, 'removed', removed);
  recordMembers(tx, id, 'added', added);
}

function recordMembers({ record }: Tx, id: number, change: 'added' | 'removed', user_ids: readonly number[]): void {
  if (user_ids.length > 0) record({ type: 'group.members_changed', id, change, user_ids });
}

/**
 * The memberships of a locked user that come from elsewhere: those in the existing groups with these names, instead of `previous`.
 * Others stay, even if they are named. Full groups are left out. `ids`: these memberships; `found`: with those of others.
 */
export async function replaceMemberships(
  tx: Tx,
  userId: number,
  names: readonly string[],
  previous: readonly number[],
): Promise<{ ids: number[]; found: number }> {
  const named = new Map((await groups.findByNames(tx, names, userId)).map((group) => [group.id, group]));
  const hasRoom = (id: number, membersCount: number) => previous.includes(id) || membersCount < maxMembers;
  const kept: number[] = [];
  let others = 0;
  for (const id of [...new Set([...previous, ...named.keys()])].sort((a, b) => a - b)) {
    const found = named.get(id);
    // Most sign-ins change nothing, and must not wait for a group that somebody changes.
    if (found?.is_member) {
      if (previous.includes(id)) kept.push(id);
      else others += 1;
      continue;
    }
    const group = await groups.lock(tx, id);
    if (group === undefined) continue;
    if (found === undefined)
      await saveMembers(tx, id, { removed: await groups.removeMembers(tx, id, [userId]), add: [] });
    else if (hasRoom(id, group.members_count)) {
      await saveMembers(tx, id, { add: [userId] });
      kept.push(id);
    }
  }
  return { ids: kept, found: kept.length + others };
}

async function lockOrdinary(tx: Tx, userIds: readonly number[]): Promise<Set<number>> {
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
