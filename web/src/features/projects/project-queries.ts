import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, isApiError, type Schemas } from '../../lib/api.ts';
import { changed } from '../../lib/freshness.ts';
import type { Version } from '../../lib/merge.ts';
import { useAccount } from '../../lib/session.ts';

export type Project = Schemas['Project'];
export type Status = Project['status'];

export const shownStates = ['all', 'active', 'attention', 'paused', 'completed', 'deleted'] as const;
export const sorts = ['recent', 'studied', 'due', 'progress', 'name'] as const;
export type ProjectFilter = {
  state: (typeof shownStates)[number];
  sort: (typeof sorts)[number];
  search: string;
  page: number;
};
const pageSize = 12;

/** `attention`: active projects that are behind their plan. */
function stateQuery(state: ProjectFilter['state']) {
  if (state === 'attention') return { status: 'active', state: 'behind' } as const;
  return { status: state === 'deleted' ? 'all' : state } as const;
}

const sortQueries = {
  recent: {},
  studied: { sort: 'own_last_session' },
  due: { sort: 'due_date', order: 'asc' },
  progress: { sort: 'progress' },
  name: { sort: 'name', order: 'asc' },
} as const;

export function useProjects({ state, sort, search, page }: ProjectFilter) {
  return useQuery({
    queryKey: ['projects', 'list', state, sort, search, page],
    queryFn: async ({ signal }) => {
      const filter = { ...stateQuery(state), ...(search !== '' && { search }) };
      const query = { ...filter, ...sortQueries[sort], page, limit: pageSize };
      return (await api.get('/api/projects', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** How many projects there are of each state. */
export function useStateCounts() {
  return useQuery({
    queryKey: ['projects', 'counts'],
    queryFn: async ({ signal }) => {
      const counted = shownStates.filter((state) => state !== 'deleted');
      const counts = counted.map(async (state) => {
        const { data } = await api.get('/api/projects', { query: { ...stateQuery(state), limit: 1 }, signal });
        return [state, data.pagination.total] as const;
      });
      return Object.fromEntries(await Promise.all(counts)) as Partial<Record<ProjectFilter['state'], number>>;
    },
  });
}

/** The projects whose timer can be started, most recently studied first; with a search, the first that match. */
export function useActiveProjects(search = '') {
  return useQuery({
    queryKey: ['projects', 'active', search],
    queryFn: async ({ signal }) => {
      const query = {
        status: 'active',
        sort: 'own_last_session',
        limit: search === '' ? 100 : 8,
        ...(search !== '' && { search }),
      } as const;
      return (await api.get('/api/projects', { query, signal })).data.projects;
    },
    ...(search !== '' && { placeholderData: keepPreviousData }),
  });
}

export function useProject(id: number) {
  return useQuery({
    queryKey: ['projects', 'one', id],
    queryFn: ({ signal }) => readProject(id, signal),
    enabled: Number.isInteger(id),
  });
}

/** The hours of everybody on a project. */
export function useProjectStatistics(id: number, isEnabled: boolean) {
  return useQuery({
    queryKey: ['stats', 'project', id],
    queryFn: async ({ signal }) => (await api.get('/api/projects/{id}/stats', { params: { id }, signal })).data,
    enabled: isEnabled,
  });
}

/** The user's own hours on a project. */
export function useOwnProjectStatistics(id: number) {
  const { id: user_id } = useAccount();
  return useQuery({
    queryKey: ['stats', 'project', id, user_id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects/{id}/stats', { params: { id }, query: { user_id }, signal })).data,
  });
}

export type ProjectFields = Pick<
  Project,
  'name' | 'description' | 'category' | 'status' | 'rating_standard' | 'target_scope' | 'weekly_goal_hours'
> & {
  target_hours: number | null;
  due_date: string | null;
  /** Null, of a new project, lets the service choose. */
  color: number | null;
};
export type ShownProject = Schemas['ProjectDetail'] & { etag: string };

/** The fields that the project form edits, as read. */
export function versionOf(project: ShownProject): Version<ProjectFields> {
  const { name, description, category, status, rating_standard, target_hours, due_date, etag } = project;
  const { target_scope, weekly_goal_hours, color } = project;
  const fields = {
    name,
    description,
    category,
    status,
    rating_standard,
    due_date,
    target_scope,
    weekly_goal_hours,
    color,
  };
  return { fields: { ...fields, target_hours: target_hours === 0 ? null : target_hours }, etag };
}

export async function readProject(id: number, signal?: AbortSignal): Promise<ShownProject> {
  const { data, etag } = await api.get('/api/projects/{id}', { params: { id }, ...(signal && { signal }) });
  return { ...data, etag };
}

/** Returns the id. `studentIds` is for administrators; others create projects for themselves. */
export async function createProject({ status: _, ...fields }: ProjectFields, studentIds: number[]): Promise<number> {
  const { data } = await api.post('/api/projects', { body: { ...fields, assigned_user_ids: studentIds } });
  await changed('projects', 'stats');
  return data.id;
}

export async function changeProject(id: number, fields: ProjectFields, base: Version<ProjectFields>): Promise<void> {
  const { color, ...given } = fields;
  const body = { ...given, ...(color !== null && { color }) };
  await api.put('/api/projects/{id}', { params: { id }, body, ifMatch: base.etag });
  await changed('projects', 'stats');
}

/** Returns false if somebody changed the fields meanwhile. Added hours also change the ETag, but are no conflict. */
export async function deleteProject(shown: ShownProject): Promise<boolean> {
  const { id } = shown;
  try {
    await api.delete('/api/projects/{id}', { params: { id }, ifMatch: shown.etag });
  } catch (error) {
    if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
    const now = await readProject(id);
    const isSame = JSON.stringify(versionOf(now).fields) === JSON.stringify(versionOf(shown).fields);
    if (isSame) return deleteProject(now);
    await changed('projects');
    return false;
  }
  await changed('projects', 'stats', 'sessions');
  return true;
}

export async function restoreProject(id: number): Promise<void> {
  await api.post('/api/projects/{id}/restore', { params: { id } });
  await changed('projects', 'stats', 'sessions');
}

/** Uploads a cropped cover; `onProgress` receives 0 to 1. */
export async function saveCover(id: number, image: Blob, onProgress: (fraction: number) => void): Promise<void> {
  await api.post('/api/projects/{id}/image', { params: { id }, form: { image }, onProgress });
  await changed('projects');
}

export async function removeCover(id: number): Promise<void> {
  await api.delete('/api/projects/{id}/image', { params: { id } });
  await changed('projects');
}
