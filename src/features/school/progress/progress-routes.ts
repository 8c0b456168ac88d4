import type { Actor } from '../../../actor.ts';
import { paginate } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { Exporter, WriteExport } from '../../../lib/export/exporter.ts';
import type { AuditExport } from '../../operations/audit/export-audit.ts';
import { exportProgress, toProgressResponse } from './progress-responses.ts';
import {
  exportProgressQuery,
  exportProjectHoursQuery,
  type ProgressFilters,
  type ProgressListing,
  progressPage,
  progressQuery,
} from './progress-schemas.ts';
import type { ProgressService } from './progress-service.ts';
import { exportProjectHours, projectHoursPage, toProjectHoursResponse } from './project-hours-responses.ts';
import { projectHoursQuery } from './project-hours-schemas.ts';
import type { ProjectHoursService } from './project-hours-service.ts';
import { progressTrend, trendQuery } from './trend-schemas.ts';

export type ProgressRoutesOptions = {
  progress: ProgressService;
  projectHours: ProjectHoursService;
  exporter: Exporter;
  auditExport: AuditExport;
};

type Exported = ProgressFilters & Partial<Pick<ProgressListing, 'state'>>;

export function createProgressRoutes({
  progress,
  projectHours,
  exporter,
  auditExport,
}: ProgressRoutesOptions): Operation[] {
  const base = { tag: 'Statistics', access: 'admin', scoped: true, cost: 'statistics' } as const;

  /** The search text is not logged, the other filters are. */
  async function download(
    { actor, query, request }: { actor: Actor; query: Exported; request: { closed: () => AbortSignal } },
    write: WriteExport,
    filename: string,
  ) {
    const { project_id, group_id, status, inactive_days, state } = query;
    const stream = await exporter.run(`user ${actor.id}`, write, request.closed());
    const filter = { project_id, group_id, status, inactive_days, state };
    return {
      stream: await auditExport(actor, 'progress_exported', filter, stream),
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
    };
  }

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress',
      id: 'listProgress',
      summary: 'List the progress of ordinary users',
      description:
        'Groups, assigned projects and their goals, hours, streak, latest record and running timer per user.',
      query: progressQuery,
      data: progressPage,
      handler: async ({ actor, query }) => {
        const { entries, counts, total } = await progress.list(actor, query);
        const pagination = paginate(query.page, query.limit, total);
        return { data: { users: entries.map(toProgressResponse), counts, pagination } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress/trend',
      id: 'getProgressTrend',
      summary: 'Count the ordinary users who were on track in the last weeks',
      description:
        'Of the present active users, by the goals that they have today, from the records that had ended by then.',
      query: trendQuery,
      data: progressTrend,
      handler: async ({ actor, query }) => ({ data: { weeks: await progress.readTrend(actor, query) } }),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress/export',
      id: 'exportProgress',
      summary: 'Download the progress of ordinary users as CSV',
      description: 'All pages of the list, in its order.',
      query: exportProgressQuery,
      produces: ['text/csv'],
      handler: async (input) => {
        const read = await progress.export(input.actor, input.query);
        return download(input, exportProgress(read), 'progress.csv');
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress/projects',
      id: 'listProjectHours',
      summary: 'List the hours of ordinary users per assigned project',
      description:
        'A table with users as rows and projects as columns. Takes the filters of `GET /api/admin/progress`.',
      query: projectHoursQuery,
      data: projectHoursPage,
      handler: async ({ actor, query }) => {
        const { users, projects, total } = await projectHours.list(actor, query);
        const pagination = paginate(query.page, query.limit, total);
        return { data: { ...toProjectHoursResponse(users, projects), pagination } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress/projects/export',
      id: 'exportProjectHours',
      summary: 'Download the hours of ordinary users per project as CSV',
      description: 'A line per user and assigned project, of all pages and projects, sorted by username.',
      query: exportProjectHoursQuery,
      produces: ['text/csv'],
      handler: async (input) => {
        const read = await projectHours.export(input.actor, input.query);
        return download(input, exportProjectHours(read), 'project-hours.csv');
      },
    }),
  ];
}
