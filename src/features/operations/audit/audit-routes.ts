import type { Periods } from '../../../db/periods.ts';
import { paginate } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AuditNamesReadModel, AuditReadModel } from './audit-read-model.ts';
import { auditPage, toAuditEntryResponse } from './audit-responses.ts';
import { auditQuery } from './audit-schemas.ts';

export type AuditRoutesOptions = { readModel: AuditReadModel; names: AuditNamesReadModel; periods: Periods };

export function createAuditRoutes({ readModel, names, periods }: AuditRoutesOptions): Operation[] {
  return [
    operation({
      method: 'get',
      path: '/api/admin/audit',
      id: 'listAuditEntries',
      tag: 'Operation',
      summary: 'List changes made by administrators, newest first',
      description:
        'Entries are written in the transaction of the change. They never contain passwords or the text of contact requests; names and addresses are removed when their account is deleted.',
      access: 'admin',
      query: auditQuery,
      data: auditPage,
      handler: async ({ actor, query }) => {
        const { entries, total } = await readModel.list(await periods.instants(actor.id, query));
        return {
          data: {
            entries: entries.map(toAuditEntryResponse),
            names: await names.of(entries),
            pagination: paginate(query.page, query.limit, total),
          },
        };
      },
    }),
  ];
}
