import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, isApiError, type Schemas } from '../../lib/api.ts';
import { recordsChanged } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { saveFile } from '../../lib/save-file.ts';

export type StudyRecord = Schemas['Session'];
const pageSize = 30;

/** `from` is inclusive, `to` exclusive. */
export type Period = { readonly from?: string; readonly to?: string };
const always: Period = {};
/** Whether the record overlaps the period, even if it began before. */
export const reaches = ({ ended_at }: StudyRecord, { from }: Period): boolean =>
  from === undefined || ended_at === null || Date.parse(ended_at) > Date.parse(from);
const maxRecordMilliseconds = 86_400_000;

/** A user's records, latest first, optionally of one project and period, or with a text in the note or a tag. */
export function useRecords(userId: number, projectId?: number, { from, to }: Period = always, search = '', tag = '') {
  return useInfiniteQuery({
    queryKey: ['sessions', userId, projectId ?? 'all', from, to, search, tag],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        user_id: userId,
        page: pageParam,
        limit: pageSize,
        ...(projectId !== undefined && { project_id: projectId }),
        ...(search !== '' && { search }),
        ...(tag !== '' && { tag }),
        ...(from !== undefined && { from: new Date(Date.parse(from) - maxRecordMilliseconds).toISOString() }),
        ...(to !== undefined && { to }),
      };
      return (await api.get('/api/sessions', { query, signal })).data;
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

const maxStatisticsDays = 371;

/** The hours of a user from one day to another, or of all days of a project; undefined where the service has no sum. */
export function useTotal(
  user_id: number,
  projectId: number | undefined,
  { from, to }: { from: string; to: string },
  isAsked: boolean,
) {
  const last = to === '' ? Date.now() : Date.parse(to);
  const hasSum =
    from === ''
      ? to === '' && projectId !== undefined
      : last >= Date.parse(from) && last - Date.parse(from) < (maxStatisticsDays - 1) * 86_400_000;
  const query = { user_id, daily: 'false', ...(from !== '' && { from }), ...(to !== '' && { to }) } as const;
  const { data } = useQuery({
    queryKey: ['stats', 'total', user_id, projectId ?? 'all', from, to],
    queryFn: async ({ signal }) => {
      const { data } =
        projectId === undefined
          ? await api.get('/api/stats', { query, signal })
          : await api.get('/api/projects/{id}/stats', { params: { id: projectId }, query, signal });
      return data.total_hours;
    },
    enabled: isAsked && hasSum,
  });
  return isAsked && hasSum ? data : undefined;
}

const largestPage = 100;

/** All records that reach into a period of some days. */
export function useRecordsBetween(userId: number, from: string, to: string) {
  return useQuery({
    queryKey: ['sessions', userId, 'between', from, to],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.parse(from) - maxRecordMilliseconds).toISOString();
      const found: StudyRecord[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const query = { user_id: userId, from: since, to, page, limit: largestPage };
        const { sessions, pagination } = (await api.get('/api/sessions', { query, signal })).data;
        found.push(...sessions);
        pages = pagination.pages;
      }
      return found.filter((record) => reaches(record, { from }));
    },
    placeholderData: keepPreviousData,
  });
}

/** A record that overlaps another one, as the service names it. */
export type Overlap = { projectId: number; from: string; to: string | undefined };
export function overlapOf(error: unknown): Overlap | undefined {
  if (!isApiError(error, 'SESSION_OVERLAP')) return undefined;
  const told = (name: string) => error.details.find(({ field }) => field === name)?.message;
  const [projectId, from] = [Number(told('project_id')), told('started_at')];
  return from === undefined || Number.isNaN(Date.parse(from)) ? undefined : { projectId, from, to: told('ended_at') };
}

export type RecordFields = { project_id: number; started_at: string; ended_at: string; note: string; tags: string[] };

/** Adds a record; offline it is queued. */
export const addRecord = (project_name: string, fields: RecordFields) => outbox.addRecord({ project_name, ...fields });

const fieldsOf = ({ project_id, started_at, ended_at, note, tags }: StudyRecord): RecordFields => ({
  project_id,
  started_at,
  ended_at: ended_at ?? '',
  note,
  tags,
});

/** The fields that the record form edits, as read. */
export const versionOf = (record: StudyRecord): Version<RecordFields> => ({
  fields: fieldsOf(record),
  etag: record.etag,
});

export async function readRecord(id: number): Promise<Version<RecordFields>> {
  void recordsChanged(); // cached copies are stale
  return versionOf((await api.get('/api/sessions/{id}', { params: { id } })).data);
}

export async function changeRecord(id: number, body: RecordFields, base: Version<RecordFields>): Promise<void> {
  await api.put('/api/sessions/{id}', { params: { id }, body, ifMatch: base.etag });
  await recordsChanged();
}

/** Fails if the record has changed since it was shown; succeeds if it no longer exists. */
export async function deleteRecord({ id, etag }: StudyRecord): Promise<void> {
  await api.delete('/api/sessions/{id}', { params: { id }, ifMatch: etag }).catch((error: unknown) => {
    if (!isApiError(error, 'RESOURCE_NOT_FOUND')) throw error;
  });
  await recordsChanged();
}

/** Saves the finished records that began in the period as a file that can be imported again. */
export async function exportRecords(
  userId: number,
  projectId?: number,
  period: Period = always,
  tag = '',
): Promise<void> {
  const ofProject = projectId !== undefined && { project_id: projectId };
  const query = { user_id: userId, format: 'csv', ...ofProject, ...period, ...(tag !== '' && { tag }) } as const;
  const file = await api.download('/api/sessions/export', { query });
  saveFile(file, projectId === undefined ? 'studytrack-records.csv' : `studytrack-records-${projectId}.csv`);
}
