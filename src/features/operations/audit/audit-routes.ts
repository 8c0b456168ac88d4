import { z } from 'zod';
import type { Periods } from '../../../db/periods.ts';
import { id, paginate, pagination } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { AuditEntryRow } from './audit-read-model.ts';
import * as readModel from './audit-read-model.ts';
import { auditQuery, auditTargetTypes, namedTypes } from './audit-schemas.ts';

const columns = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z
  .object({
    id,
    at: timestamp,
    actor: z.object({ id, username: z.string().meta({ example: 'lin' }) }),
    action: z.string().meta({ description: 'The `operationId` in this document.', example: 'updateUser' }),
    request_id: z
      .string()
      .meta({ description: 'The `X-Request-Id` of the response, as in the log.', example: 'b2a1c7de-0001' }),
    target_type: z.enum(auditTargetTypes),
    target_ids: z.array(id).meta({
      description: 'One id; for assignments, those of the projects; empty for exports, whose filter is in `after`.',
    }),
    before: columns.meta({
      description: 'The changed fields before the change; null for a new object.',
      example: { role: 'user' },
    }),
    after: columns.meta({
      description: 'The changed fields after the change; null for a deleted object.',
      example: { role: 'admin' },
    }),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.output<typeof auditEntry>;

const auditName = z
  .object({ type: z.enum(namedTypes), id, name: z.string().meta({ example: 'Lin Wei' }) })
  .meta({ id: 'AuditName' });

const auditPage = z.object({
  entries: z.array(auditEntry),
  names: z.array(auditName).meta({
    description:
      'Current names of the users, projects and groups in these entries that still exist; for a long list of ids, those of the first ten.',
  }),
  pagination,
});

function toAuditEntryResponse(row: AuditEntryRow): z.input<typeof auditEntry> {
  const { id, at, action, request_id, target_type, target_ids, before, after } = row;
  const actor = { id: row.actor_id, username: row.actor_username };
  return { id, at, actor, action, request_id, target_type, target_ids, before, after };
}

export function createAuditRoutes({ store, periods }: { store: Db; periods: Periods }): Operation[] {
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
        const { entries, total } = await readModel.list(store, await periods.instants(actor.id, query));
        return {
          data: {
            entries: entries.map(toAuditEntryResponse),
            names: await readModel.listNames(store, entries),
            pagination: paginate(query.page, query.limit, total),
          },
        };
      },
    }),
  ];
}
