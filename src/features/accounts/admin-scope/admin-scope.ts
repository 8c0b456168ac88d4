import type { Actor, roles } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { OutOfScopeError, PermissionDeniedError, WholeSchoolOnlyError } from '../../../texts/access-errors.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { MessageKey } from '../../../texts/index.ts';
import * as scopes from './admin-scope-repository.ts';

export const adminScopes = ['all', 'groups'] as const;

type Administrator = Pick<Actor, 'id' | 'role'>;

const isLimited = ({ role }: Administrator): boolean => role === 'class_admin';
const ids = (rows: readonly { user_id: number }[]): Set<number> => new Set(rows.map((row) => row.user_id));

/** Throws OutOfScopeError unless a limited administrator has the student in scope. Others pass. */
export async function requireStudent(db: Executor, actor: Administrator, userId: number): Promise<void> {
  if (isLimited(actor) && (await scopes.listStudents(db, actor.id, [userId])).length === 0) throw new OutOfScopeError();
}

/** The same in a transaction that writes about the locked student, who stays in scope until the commit. */
export async function lockStudent(tx: Executor, actor: Administrator, userId: number): Promise<void> {
  await lockInScope(tx, actor, [userId]);
  await requireStudent(tx, actor, userId);
}

/** The administrator to whose scope a list is limited. */
export type LimitedTo = { limitedTo?: number | undefined };
export const limitOf = (actor: Administrator): number | undefined => (isLimited(actor) ? actor.id : undefined);

/** A filter of students, limited to the scope of the administrator. Throws OutOfScopeError for a group outside. */
export async function scopedFilter<Filter extends { group_id?: number | undefined }>(
  db: Executor,
  actor: Administrator,
  filter: Filter,
): Promise<Filter & LimitedTo> {
  if (!isLimited(actor)) return filter;
  if (filter.group_id !== undefined) await requireGroups(db, actor, [filter.group_id]);
  return { ...filter, limitedTo: actor.id };
}

/** The same for the account of a student, active or not. */
export async function requireAccount(db: Executor, actor: Administrator, userId: number): Promise<void> {
  if (isLimited(actor) && (await scopes.listStudents(db, actor.id, [userId], { active: false })).length === 0)
    throw new OutOfScopeError();
}

/** The same for groups: `fields` names where the request has each of them. */
export async function requireGroups(
  db: Executor,
  actor: Administrator,
  groupIds: readonly number[],
  fields?: (index: number) => string,
): Promise<void> {
  if (!isLimited(actor)) return;
  const own = new Set((await scopes.listGroups(db, actor.id)).map((row) => row.group_id));
  const outside = groupIds.flatMap((id, index) => (own.has(id) ? [] : [fields?.(index)]));
  if (outside.length > 0) throw new OutOfScopeError(outside.flatMap((field) => field ?? []));
}

/**
 * Those of the locked users whom the administrator may assign and add to groups. They remain members of the groups in scope until the
 * commit.
 */
export async function lockInScope(
  db: Executor,
  actor: Administrator,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (!isLimited(actor)) return new Set(userIds);
  return ids(await scopes.lockMemberships(db, actor.id, userIds));
}

/** Those of the users whom the administrator sees, in their order: members of the groups, active or not. */
export async function membersInScope(
  db: Executor,
  actor: Administrator,
  userIds: readonly number[],
): Promise<number[]> {
  if (!isLimited(actor)) return [...userIds];
  const own = ids(await scopes.listStudents(db, actor.id, userIds, { active: false }));
  return userIds.filter((id) => own.has(id));
}

/**
 * For what is about a person: themselves, administrators, and those who are limited to groups with this student. Throws
 * PermissionDeniedError.
 */
export async function requireReaderOf(
  db: Executor,
  actor: Administrator,
  userId: number,
  key: MessageKey,
): Promise<void> {
  if (userId === actor.id) return;
  if (actor.role === 'user') throw new PermissionDeniedError(key);
  await requireStudent(db, actor, userId);
}

/** Throws OutOfScopeError unless all groups of the locked user are in scope, and there is one. */
export async function requireEditable(db: Executor, actor: Administrator, userId: number): Promise<void> {
  if (!isLimited(actor)) return;
  const isMember = (await scopes.lockMemberships(db, actor.id, [userId])).length > 0;
  if (!isMember || (await scopes.listWithOtherGroups(db, actor.id, [userId])).length > 0) throw new OutOfScopeError();
}

type NewMember = Pick<ScopeFields, 'role'>;
/** Only students have groups, and limited administrators create students in their own groups only. */
export async function requireNewMembers(
  db: Executor,
  actor: Administrator,
  accounts: readonly NewMember[],
  groupIds: readonly number[],
  roleField: (index: number) => string = () => 'role',
): Promise<void> {
  const others = accounts.flatMap(({ role }, index) => (role === 'user' ? [] : [roleField(index)]));
  if (isLimited(actor) && others.length > 0) throw new WholeSchoolOnlyError(others);
  if (others.length > 0 && groupIds.length > 0) throw ValidationError.of('group_ids', 'groups_of_users_only');
  if (isLimited(actor) && groupIds.length === 0) throw ValidationError.of('group_ids', 'group_ids_required');
  await requireGroups(db, actor, groupIds, (index) => `group_ids[${index}]`);
}

/** Contact requests are for administrators of the whole school. */
export function requireNoRequest(actor: Administrator, requestId: number | undefined): void {
  if (isLimited(actor) && requestId !== undefined) throw new WholeSchoolOnlyError(['contact_request_id']);
}

type ScopeFields = {
  role: (typeof roles)[number];
  admin_scope: (typeof adminScopes)[number];
  admin_group_ids: number[];
};
/** The scope goes with the role, and the groups with the scope: without them, none are left. Throws ValidationError. */
export async function checkedScope(
  db: Executor,
  fields: ScopeFields,
  given: Partial<ScopeFields>,
): Promise<ScopeFields> {
  const { role } = fields;
  const limits = given.admin_scope === 'groups' || (given.admin_group_ids ?? []).length > 0;
  if (limits && role !== 'admin') throw ValidationError.of('admin_scope', 'scope_of_admins_only');
  if (role !== 'admin' || fields.admin_scope === 'all') {
    if (role === 'admin' && limits) throw ValidationError.of('admin_group_ids', 'groups_of_limited_only');
    return { role, admin_scope: 'all', admin_group_ids: [] };
  }
  const groupIds = fields.admin_group_ids;
  const existing = new Set((await scopes.lockGroups(db, groupIds)).map((group) => group.id));
  const unknown = groupIds.flatMap((id, index) => (existing.has(id) ? [] : [`admin_group_ids[${index}]`]));
  if (unknown.length > 0)
    throw new ValidationError(unknown.map((field) => ({ field, message: { key: 'group_unknown' } })));
  return { role, admin_scope: 'groups', admin_group_ids: [...new Set(groupIds)].sort((a, b) => a - b) };
}

/** Nobody changes their own scope, and only administrators of the whole school that of others, or a role. */
export function requireMayGrant(
  actor: Administrator,
  before: ScopeFields & { id: number },
  patch: Partial<ScopeFields>,
): void {
  const { admin_scope = before.admin_scope, admin_group_ids = before.admin_group_ids, role = before.role } = patch;
  const isRescoped =
    admin_scope !== before.admin_scope ||
    admin_group_ids.toSorted((a, b) => a - b).join() !== before.admin_group_ids.join();
  if (isRescoped && actor.id === before.id) throw new PermissionDeniedError('own_scope');
  if ((isRescoped || role !== before.role) && isLimited(actor)) throw new PermissionDeniedError('whole_school_only');
}
