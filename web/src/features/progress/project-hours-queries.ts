import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { saveFile } from '../../lib/save-file.ts';
import { pageSize, type StudentFilter, selection } from './progress-queries.ts';

export type ProjectColumn = Schemas['ProjectColumn'];
export type ProjectHours = Schemas['ProjectHours'];

export const tableSorts = ['username', 'total_hours', 'project_hours'] as const;
export type TableFilter = StudentFilter & { sort: (typeof tableSorts)[number] };

export function useProjectHours(filter: TableFilter, page: number) {
  return useQuery({
    queryKey: ['progress', 'projects', filter, page],
    queryFn: async ({ signal }) => {
      const { sort, order, sort_project_id } = filter;
      const query = {
        ...selection(filter),
        sort,
        order,
        page,
        limit: pageSize,
        ...(sort === 'project_hours' && { sort_project_id: Number(sort_project_id) }),
      };
      return (await api.get('/api/admin/progress/projects', { query, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** All pages and projects, by username. */
export async function exportProjectHours(filter: StudentFilter): Promise<void> {
  const query = { format: 'csv', ...selection(filter) } as const;
  saveFile(await api.download('/api/admin/progress/projects/export', { query }), 'studytrack-project-hours.csv');
}
