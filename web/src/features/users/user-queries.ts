import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import type { BulkUser } from './pasted-users.ts';

export type User = Schemas['ManagedUser'];
/** A generated password, which is shown only once. */
export type GivenPassword = Pick<User, 'username' | 'display_name'> & {
  /** Absent if an earlier attempt, whose response was lost, created the account. */
  one_time_password?: string;
};
/** The link to hand over, or that it was mailed. */
export type SentLink = Pick<Schemas['AccountLink'], 'link_mailed' | 'link'>;
export type CreatedUser = GivenPassword & Partial<SentLink> & Pick<User, 'id'>;
export type NewUser = Pick<User, 'username' | 'email' | 'display_name' | 'role'> & { invite?: boolean };

export const roles = ['all', 'user', 'admin'] as const;
export const states = ['all', 'active', 'inactive'] as const;
export type UserFilter = { role: (typeof roles)[number]; status: (typeof states)[number]; search: string };
const pageSize = 20;

export function useUsers({ search, ...chosen }: UserFilter, page: number) {
  return useQuery({
    queryKey: ['users', 'list', chosen, search, page],
    queryFn: async ({ signal }) => {
      const query = { ...chosen, page, limit: pageSize, ...(search !== '' && { search }) };
      return (await api.get('/api/admin/users', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

export const usersChanged = () => changed('users', 'progress');

export async function readUser(id: number, signal?: AbortSignal): Promise<User> {
  const options = { params: { id }, ...(signal !== undefined && { signal }) };
  return (await api.get('/api/admin/users/{id}', options)).data;
}

export function useUser(id: number) {
  return useQuery({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => readUser(id, signal),
    enabled: Number.isInteger(id),
  });
}

/** The groups of which a user is a member. */
export function useGroupsOf(id: number) {
  return useQuery({
    queryKey: ['users', 'groups', 'of', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/admin/groups', { query: { user_id: id, limit: 100 }, signal })).data.groups,
  });
}

/** The number of projects and records of an account. */
export function useWorkOf(id: number) {
  return useQuery({
    queryKey: ['projects', 'work', id],
    staleTime: 0, // a decision depends on these numbers
    queryFn: async ({ signal }) => {
      const lists = [
        api.get('/api/projects', { query: { creator: id, limit: 1 }, signal }),
        api.get('/api/projects', { query: { assigned_user_id: id, limit: 1 }, signal }),
        api.get('/api/sessions', { query: { user_id: id, limit: 1 }, signal }),
      ] as const;
      const [own, assigned, records] = await Promise.all(lists);
      return {
        own: own.data.pagination.total,
        assigned: assigned.data.pagination.total,
        records: records.data.pagination.total,
      };
    },
  });
}

/** The fields that the account form edits. */
export type UserFields = Pick<User, 'username' | 'email' | 'display_name' | 'role'>;

export const versionOf = ({ username, email, display_name, role, etag }: User): Version<UserFields> => ({
  fields: { username, email, display_name, role },
  etag,
});

export async function changeUser(id: number, fields: UserFields, base: Version<UserFields>): Promise<void> {
  await api.put('/api/admin/users/{id}', { params: { id }, body: fields, ifMatch: base.etag });
  await usersChanged();
}

/** Takes effect with the next request of the administrator. */
export async function changeScope(
  { id, etag }: User,
  admin_scope: 'all' | 'groups',
  groupIds: readonly number[],
): Promise<void> {
  await api.put('/api/admin/users/{id}', {
    params: { id },
    body: { admin_scope, admin_group_ids: [...groupIds] },
    ifMatch: etag,
  });
  await usersChanged();
}

/** Afterwards, the user signs in without a code. */
export async function switchOffTotp(id: number): Promise<void> {
  await api.delete('/api/admin/users/{id}/totp', { params: { id } });
  await usersChanged();
}

/** Afterwards, another identity of the provider can be linked. */
export const unlinkIdentity = (id: number) => api.delete('/api/admin/users/{id}/identity', { params: { id } });

/** `key` is the idempotency key. */
export async function createUser(
  fields: NewUser,
  key: string,
  contactRequest?: number,
  groupIds: readonly number[] = [],
): Promise<CreatedUser> {
  const { display_name, ...body } = fields;
  const { data } = await api.post('/api/admin/users', {
    body: {
      ...body,
      ...(display_name.trim() !== '' && { display_name }),
      ...(contactRequest !== undefined && { contact_request_id: contactRequest }),
      ...(groupIds.length > 0 && { group_ids: [...groupIds] }),
    },
    idempotencyKey: key,
  });
  await changed('users', 'progress', 'requests');
  return data;
}

/** `contactRequest` asks for it and is resolved. */
export async function resetPassword(id: number, contactRequest?: number): Promise<GivenPassword> {
  const body = contactRequest === undefined ? {} : { contact_request_id: contactRequest };
  const { data } = await api.post('/api/admin/users/{id}/reset-password', { params: { id }, body });
  await usersChanged();
  return data;
}

export type LinkKind = 'invite' | 'link';
/** Mails a link to choose a password, or returns it if there is no mail server. */
export async function sendLink(id: number, kind: LinkKind): Promise<SentLink> {
  const path = kind === 'invite' ? '/api/admin/users/{id}/invite' : '/api/admin/users/{id}/reset-link';
  return (await api.post(path, { params: { id } })).data;
}

export async function setStatus({ id, etag }: User, status: User['status']): Promise<void> {
  await api.put('/api/admin/users/{id}', { params: { id }, body: { status }, ifMatch: etag });
  await usersChanged();
}

/** Does not refetch: the caller leaves the user's page first. */
export async function deleteUser(id: number): Promise<void> {
  await api.delete('/api/admin/users/{id}', { params: { id } });
}

export type CreatedUsers = Schemas['CreatedUsers'];

/** Creates the valid users; only the first response contains their passwords. */
export async function createUsers(
  users: readonly BulkUser[],
  idempotencyKey: string,
  groupIds: readonly number[],
): Promise<CreatedUsers> {
  const body = {
    group_ids: [...groupIds],
    users: users.map(({ display_name, ...user }) => ({ ...user, ...(display_name !== '' && { display_name }) })),
  };
  const { data } = await api.post('/api/admin/users/bulk', { body, idempotencyKey });
  await usersChanged();
  return data;
}
