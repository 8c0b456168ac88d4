import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';

export type Group = Schemas['Group'];
export type GroupDetail = Schemas['GroupWithMembers'];
export type Member = GroupDetail['members'][number];
export type GroupFields = Pick<Group, 'name'>;
const pageSize = 20;

export function useGroupList(search: string, page: number) {
  return useQuery({
    queryKey: ['users', 'groups', 'list', search, page],
    queryFn: async ({ signal }) => {
      const query = { page, limit: pageSize, ...(search !== '' && { search }) };
      return (await api.get('/api/admin/groups', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

export function useGroup(id: number) {
  return useQuery({
    queryKey: ['users', 'groups', 'one', id],
    queryFn: async ({ signal }) => (await api.get('/api/admin/groups/{id}', { params: { id }, signal })).data,
    enabled: Number.isInteger(id),
  });
}

/** User and progress lists can be filtered by group. */
export const groupsChanged = () => changed('users', 'progress');

export const versionOf = ({ name, etag }: Group): Version<GroupFields> => ({ fields: { name }, etag });

export async function readGroup(id: number): Promise<Group> {
  return (await api.get('/api/admin/groups/{id}', { params: { id } })).data;
}

/** `key` is the idempotency key. Returns the id. */
export async function createGroup(fields: GroupFields, key: string): Promise<number> {
  const { data } = await api.post('/api/admin/groups', { body: fields, idempotencyKey: key });
  await groupsChanged();
  return data.id;
}

export async function renameGroup(id: number, fields: GroupFields, on: Version<GroupFields>): Promise<void> {
  await api.put('/api/admin/groups/{id}', { params: { id }, body: fields, ifMatch: on.etag });
  await groupsChanged();
}

/** Adds or removes only these, so concurrent changes of other members are preserved. */
export async function changeMembers(id: number, change: { add?: number[]; remove?: number[] }): Promise<void> {
  await api.post('/api/admin/groups/{id}/members', { params: { id }, body: change });
  await groupsChanged();
}

/** Does not refetch: the caller leaves the group's page first. */
export async function deleteGroup({ id, etag }: Group): Promise<void> {
  await api.delete('/api/admin/groups/{id}', { params: { id }, ifMatch: etag });
}
