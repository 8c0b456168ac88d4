import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import type { UserOfMany } from './pasted-users.ts';

export type User = Schemas['ManagedUser'];
/** A password that the service chose: known this once. */
export type GivenPassword = Pick<User, 'username' | 'display_name'> & {
  /** Absent when an earlier try, whose response got lost, had made the account. */
  one_time_password?: string;
};
/** What an administrator hands over, or that it was mailed. */
export type SentLink = Pick<Schemas['AccountLink'], 'link_mailed' | 'link'>;
export type CreatedUser = GivenPassword & Partial<SentLink>;
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

/** How many projects and records depend on an account. */
export function useWorkOf(id: number) {
  return useQuery({
    queryKey: ['projects', 'work', id],
    staleTime: 0, // somebody decides by these numbers
    queryFn: async ({ signal }) => {
      const lists = [
        api.get('/api/projects', { query: { creator: `${id}`, limit: 1 }, signal }),
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

/** What the form of an account changes. */
export type UserFields = Pick<User, 'username' | 'email' | 'display_name' | 'role'>;

export const versionOf = ({ username, email, display_name, role, etag }: User): Version<UserFields> => ({
  fields: { username, email, display_name, role },
  etag,
});

export async function changeUser(id: number, fields: UserFields, on: Version<UserFields>): Promise<void> {
  await api.put('/api/admin/users/{id}', { params: { id }, body: fields, ifMatch: on.etag });
  await usersChanged();
}

/** Signing in takes no code any more. */
export async function switchOffTotp(id: number): Promise<void> {
  await api.delete('/api/admin/users/{id}/totp', { params: { id } });
  await usersChanged();
}

/** `key` names this account to the service: however often it is sent, it is made once. */
export async function createUser(fields: NewUser, key: string, contactRequest?: number): Promise<CreatedUser> {
  const { display_name, ...body } = fields;
  const { data } = await api.post('/api/admin/users', {
    body: {
      ...body,
      ...(display_name.trim() !== '' && { display_name }),
      ...(contactRequest !== undefined && { contact_request_id: contactRequest }),
    },
    idempotencyKey: key,
  });
  await changed('users', 'progress', 'requests');
  return data;
}

export async function resetPassword(id: number): Promise<GivenPassword> {
  const { data } = await api.post('/api/admin/users/{id}/reset-password', { params: { id }, body: {} });
  await usersChanged();
  return data;
}

export type LinkKind = 'invite' | 'link';
/** Mails a link by which the user chooses a password, or returns it where there is no mail server. */
export async function sendLink(id: number, kind: LinkKind): Promise<SentLink> {
  const path = kind === 'invite' ? '/api/admin/users/{id}/invite' : '/api/admin/users/{id}/reset-link';
  return (await api.post(path, { params: { id } })).data;
}

export async function setStatus({ id, etag }: User, status: User['status']): Promise<void> {
  await api.put('/api/admin/users/{id}', { params: { id }, body: { status }, ifMatch: etag });
  await usersChanged();
}

/** The caller leaves the page of the user before the lists are read again. */
export async function deleteUser(id: number): Promise<void> {
  await api.delete('/api/admin/users/{id}', { params: { id } });
}

export type CreatedUsers = Schemas['CreatedUsers'];

/** Creates those whose names are free; their passwords are in the result this once. */
export async function createUsers(users: readonly UserOfMany[], idempotencyKey: string): Promise<CreatedUsers> {
  const body = {
    users: users.map(({ display_name, ...user }) => ({ ...user, ...(display_name !== '' && { display_name }) })),
  };
  const { data } = await api.post('/api/admin/users/bulk', { body, idempotencyKey });
  await usersChanged();
  return data;
}
