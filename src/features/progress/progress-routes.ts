import { type Operation, operation } from '../../http/operation.ts';
import { paginate } from '../../http/validation/fields.ts';
import type { Exporter } from '../../lib/exporter.ts';
import type { AuditExport } from '../audit/export-audit.ts';
import { exportProgress, toProgressResponse } from './progress-responses.ts';
import { exportProgressQuery, progressPage, progressQuery } from './progress-schemas.ts';
import type { ProgressService } from './progress-service.ts';

export type ProgressRoutesOptions = { progress: ProgressService; exporter: Exporter; auditExport: AuditExport };

export function createProgressRoutes({ progress, exporter, auditExport }: ProgressRoutesOptions): Operation[] {
  const base = { tag: 'Statistics', access: 'admin', cost: 'statistics' } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress',
      id: 'listProgress',
      summary: 'List how ordinary users are doing',
      description: 'Groups, assigned projects and their goals, hours, streak, latest record and running timer of each.',
      query: progressQuery,
      data: progressPage,
      handler: async ({ query }) => {
        const { entries, total } = await progress.list(query);
        const pagination = paginate(query.page, query.limit, total);
        return { data: { users: entries.map(toProgressResponse), pagination } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/progress/export',
      id: 'exportProgress',
      summary: 'Download how ordinary users are doing as CSV',
      description: 'All pages of the list, by username.',
      query: exportProgressQuery,
      produces: ['text/csv'],
      handler: async ({ actor, query, request }) => {
        const { project_id, group_id, status, inactive_days } = query;
        const stream = await exporter.run(
          `user ${actor.id}`,
          exportProgress((take) => progress.export(query, take)),
          request.closed(),
        );
        return {
          stream: await auditExport(
            actor,
            'progress_exported',
            { project_id, group_id, status, inactive_days },
            stream,
          ),
          contentType: 'text/csv; charset=utf-8',
          headers: { 'Content-Disposition': 'attachment; filename="progress.csv"' },
        };
      },
    }),
  ];
}
