import type { Periods } from '../../../db/periods.ts';
import type { TakeRows } from '../../../db/row-stream.ts';
import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag } from '../../../http/reply.ts';
import { csvList, type Exporter, type WriteExport } from '../../../lib/export/exporter.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { AuditExport } from '../../operations/audit/export-audit.ts';
import type { ContactRow, InboxReadModel } from './inbox-read-model.ts';
import {
  advancedRequest,
  contactRequestDetail,
  inboxPage,
  toContactRequestDetailResponse,
  toInboxResponse,
} from './inbox-responses.ts';
import { advanceBody, bulkBody, bulkResult, exportQuery, inboxQuery } from './inbox-schemas.ts';
import type { InboxService } from './inbox-service.ts';

const columns = [
  'id',
  'name',
  'email',
  'phone',
  'subject',
  'message',
  'status',
  'admin_note',
  'ip_address',
  'user_agent',
  'user_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ContactRow)[];

const exportRequests = (read: (take: TakeRows<ContactRow>) => Promise<void>): WriteExport =>
  csvList(read, columns, (row) => columns.map((column) => row[column]));

export type InboxRoutesOptions = {
  inbox: InboxService;
  readModel: InboxReadModel;
  exporter: Exporter;
  auditExport: AuditExport;
  periods: Periods;
};

export function createInboxRoutes({
  inbox,
  readModel,
  exporter,
  auditExport,
  periods,
}: InboxRoutesOptions): Operation[] {
  const base = { tag: 'Contact inbox', access: 'admin' } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/contact-requests',
      id: 'listContactRequests',
      summary: 'List contact requests',
      description: 'Includes the number of all requests per state.',
      query: inboxQuery,
      data: inboxPage,
      handler: async ({ actor, query }) => {
        const { requests, counts } = await readModel.list(await periods.instants(actor.id, query));
        return { data: toInboxResponse(requests, counts, query) };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/contact-requests/export',
      id: 'exportContactRequests',
      summary: 'Download contact requests as CSV',
      description: 'All pages of the list, from one snapshot.',
      query: exportQuery,
      produces: ['text/csv'],
      handler: async ({ actor, query, request }) => {
        const filter = await periods.instants(actor.id, query);
        const { status, subject, from, to } = filter;
        const stream = await exporter.run(
          `user ${actor.id}`,
          exportRequests((take) => readModel.export(filter, take)),
          request.closed(),
        );
        return {
          stream: await auditExport(actor, 'contact_requests_exported', { status, subject, from, to }, stream),
          contentType: 'text/csv; charset=utf-8',
          headers: { 'Content-Disposition': 'attachment; filename="contact-requests.csv"' },
        };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/admin/contact-requests/:id',
      id: 'getContactRequest',
      summary: 'Get a contact request',
      description: 'Includes the address and client it was sent from, and earlier requests of the e-mail address.',
      data: contactRequestDetail,
      handler: async ({ params, request }) => {
        const found = await readModel.find(params.id);
        if (found === undefined) throw new NotFoundError('contact_request_not_found');
        const data = toContactRequestDetailResponse(found, await readModel.listEarlier(found));
        return { data, etag: contentVersionTag(found.row_version, data, request.locale) };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/admin/contact-requests/:id/status',
      id: 'advanceContactRequest',
      summary: 'Move a contact request forward, or change its note',
      description: 'From pending to reviewed to resolved, or directly to resolved; never back.',
      body: advanceBody,
      data: advancedRequest,
      message: 'contact_request_updated',
      conditional: true,
      guard: ({ params }) => inbox.requireExisting(params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) => {
        const advanced = await inbox.advance(actor, params.id, body, expectedVersion);
        const { id, name, email, status, admin_note, updated_at, row_version } = advanced;
        const data = { id, name, email, status, admin_note, updated_at };
        return { data, etag: contentVersionTag(row_version, data, request.locale) };
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/admin/contact-requests/:id',
      id: 'deleteContactRequest',
      summary: 'Delete a contact request',
      description: 'In any state, permanently.',
      message: 'contact_request_deleted',
      conditional: true,
      handler: async ({ actor, params, expectedVersion }) => {
        await inbox.delete(actor, params.id, expectedVersion);
        return {};
      },
    }),

    operation({
      ...base,
      method: 'post',
      path: '/api/admin/contact-requests/bulk',
      id: 'changeContactRequests',
      summary: 'Move many contact requests forward, or delete them',
      description: 'Takes `status` or `delete`. Requests that fail are reported by id; the others are processed.',
      body: bulkBody,
      data: bulkResult,
      handler: async ({ actor, body }) => {
        const results = await inbox.changeMany(actor, body);
        const done = results.filter(({ outcome }) => outcome === 'updated' || outcome === 'deleted').length;
        const message = { key: 'contact_requests_changed', params: { done, total: results.length } } as const;
        return { data: { changed_count: done, results }, message };
      },
    }),
  ];
}
