import { NotFoundError, PreconditionFailedError, ValidationError } from '../../errors.ts';
import { unique } from '../../lib/unique.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import type { ChangeMembersInput, CreateGroupInput, ListGroupsQuery, UpdateGroupInput } from './group-schemas.ts';

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
        await tx.groups.addMembers(id, unique(user_ids));
        return get(tx, id);
      }, actor.act);
    },

    /** Updates the given fields; `user_ids` replaces the list of members. */
    update(actor: Actor, id: number, { name, user_ids }: UpdateGroupInput, expectedVersion: number | undefined) {
      return store.transaction(async (tx) => {
        const group = await lockWithUsers(tx, id, 'user_ids', user_ids ?? []);
        requireVersion(group.row_version, expectedVersion);
        if (name !== undefined && name !== group.name) await tx.groups.rename(id, name);
        if (user_ids !== undefined) {
          await tx.groups.removeOthers(id, user_ids);
          await tx.groups.addMembers(id, unique(user_ids));
        }
        return get(tx, id);
      }, actor.act);
    },

    /** Leaves other members unchanged, also those added concurrently. */
    changeMembers(actor: Actor, id: number, { add, remove }: ChangeMembersInput) {
      return store.transaction(async (tx) => {
        await lockWithUsers(tx, id, 'add', add);
        await tx.groups.removeMembers(id, remove);
        await tx.groups.addMembers(id, unique(add));
        return get(tx, id);
      }, actor.act);
    },

    delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      return store.transaction(async ({ groups }) => {
        const group = await groups.lock(id);
        if (group === undefined) throw new NotFoundError('group_not_found');
        requireVersion(group.row_version, expectedVersion);
        await groups.delete(id);
      }, actor.act);
    },
  };
}

export type GroupService = ReturnType<typeof createGroupService>;

async function lockOrdinary({ assignments }: TransactionStore, userIds: readonly number[]): Promise<Set<number>> {
  const users = await assignments.lockUsers(userIds);
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
