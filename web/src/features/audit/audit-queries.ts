import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { fromWallTime } from '../../lib/wall-time.ts';

export type AuditEntry = Schemas['AuditEntry'];
export type TargetType = AuditEntry['target_type'];

/** URL parameters as text; `from` and `to` are inclusive days in the reader's time zone. */
export type AuditFilter = {
  actor: string;
  action: string;
  target_type: string;
  target_id: string;
  from: string;
  to: string;
};
export const noFilter: AuditFilter = { actor: '', action: '', target_type: '', target_id: '', from: '', to: '' };
export const targetTypes = [
  'user',
  'group',
  'project',
  'assignment',
  'session',
  'contact_request',
  'export',
  'personal_token',
  'webhook',
  'term',
  'school_day',
] as const satisfies readonly TargetType[];
/** Whole batches: the accounts of a class are one action. */
const pageSize = 100;

function queryOf({ actor, action, target_type, target_id, from, to }: AuditFilter, zone: string) {
  const number = (text: string) => (/^\d{1,15}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : undefined);
  const type = targetTypes.find((known) => known === target_type);
  const [actorId, targetId] = [number(actor), number(target_id)];
  const since = fromWallTime(`${from}T00:00`, zone);
  const until = fromWallTime(`${dayAfter(to)}T00:00`, zone);
  return {
    ...(actorId !== undefined && { actor: actorId }),
    ...(/^[A-Za-z]{1,64}$/.test(action) && { action }),
    ...(type !== undefined && { target_type: type }),
    ...(targetId !== undefined && { target_id: targetId }),
    ...(since !== undefined && { from: since }),
    ...(until !== undefined && { to: until }),
  };
}

function dayAfter(day: string): string {
  const start = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(start) ? '' : new Date(start + 86_400_000).toISOString().slice(0, 10);
}

export function useAudit(filter: AuditFilter, page: number, zone: string) {
  const query = queryOf(filter, zone);
  return useQuery({
    queryKey: ['audit', query, page],
    queryFn: async ({ signal }) =>
      (await api.get('/api/admin/audit', { query: { ...query, page, limit: pageSize }, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0, // any change elsewhere adds an entry
  });
}

/** The current administrators, to filter the log by. */
export function useAdministrators() {
  return useQuery({
    queryKey: ['users', 'administrators'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/admin/users', { query: { role: 'admin', limit: 100 }, signal })).data.users,
  });
}
