import type { Actor } from '../../../../actor.ts';
import { idParams } from '../../../../http/fields.ts';
import { type Operation, operation } from '../../../../http/operation.ts';
import type { Exporter } from '../../../../lib/export/exporter.ts';
import type { AuditExport } from '../../../operations/audit/export-audit.ts';
import { comparisonQuery, exportComparison, groupComparison } from './group-comparison-schemas.ts';
import type { GroupComparisonService } from './group-comparison-service.ts';

export type GroupComparisonRoutesOptions = {
  service: GroupComparisonService;
  exporter: Exporter;
  auditExport: AuditExport;
};

export function createGroupComparisonRoutes({
  service,
  exporter,
  auditExport,
}: GroupComparisonRoutesOptions): Operation[] {
  const base = {
    tag: 'Statistics',
    access: 'admin',
    scoped: true,
    cost: 'statistics',
    method: 'get',
    params: idParams,
    query: comparisonQuery,
    errors: ['RESOURCE_NOT_FOUND'],
  } as const;
  const guard = ({ actor, params }: { actor: Actor; params: { id: number } }) => service.requireGroup(actor, params.id);
  return [
    operation({
      ...base,
      path: '/api/admin/groups/:id/comparison',
      id: 'getGroupComparison',
      summary: 'Compare two periods of a group',
      description:
        'The hours of its active ordinary members in both periods: for each, by project and by weekday, with the median.',
      data: groupComparison,
      guard,
      handler: async ({ actor, params, query }) => ({ data: await service.read(actor, params.id, query) }),
    }),
    operation({
      ...base,
      path: '/api/admin/groups/:id/comparison/export',
      id: 'exportGroupComparison',
      summary: 'Download the comparison of two periods of a group as CSV',
      description: 'A line for each member, with the hours of both periods by weekday.',
      produces: ['text/csv'],
      guard,
      handler: async ({ actor, params, query, request }) => {
        const comparison = await service.read(actor, params.id, query);
        const stream = await exporter.run(`user ${actor.id}`, exportComparison(comparison), request.closed());
        return {
          stream: await auditExport(actor, 'progress_exported', { group_id: params.id }, stream),
          contentType: 'text/csv; charset=utf-8',
          headers: { 'Content-Disposition': 'attachment; filename="comparison.csv"' },
        };
      },
    }),
  ];
}
