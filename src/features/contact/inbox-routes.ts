import { NotFoundError } from '../../errors.ts';
import { idParams, paginate } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Exporter } from '../../lib/exporter.ts';
import type { NoteExport } from '../audit/export-audit.ts';
import { exportRequests } from './contact-export.ts';
import { advanceBody, advancedRequest, contactRequest, exportQuery, inboxPage, inboxQuery } from './contact-schemas.ts';
import type { InboxReadModel } from './inbox-read-model.ts';
import type { InboxService } from './inbox-service.ts';

export type InboxRoutesOptions = {
  inbox: InboxService;
  readModel: InboxReadModel;
  exporter: Exporter;
  noteExport: NoteExport;
};

export function createInboxRoutes({ inbox, readModel, exporter, noteExport }: InboxRoutesOptions): Operation[] {
  const base = { tag: 'Contact inbox', access: 'admin' } as const;
  const onOne = { ...base, params: idParams, errors: ['RESOURCE_NOT_FOUND'] } as const;

  return [
    operation({
      ...base,
      method: 'get',
      path: '/api/admin/contact-requests',
      id: 'listContactRequests',
      summary: 'List contact requests, newest first',
      description: 'With the number in each state over all requests.',
      query: inboxQuery,
      data: inboxPage,
      handler: async ({ query }) => {
        const { requests, found, stats } = await readModel.read(query);
        return { data: { requests, pagination: paginate(query.page, query.limit, found), stats } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/admin/contact-requests/export',
      id: 'exportContactRequests',
      summary: 'Download contact requests as CSV',
      description: 'All pages of the list, as of one moment.',
      query: exportQuery,
      produces: ['text/csv'],
      handler: async ({ actor, query, request }) => {
        const { status, subject, from, to } = query;
        const stream = await exporter.run(
          `user ${actor.id}`,
          exportRequests((take) => readModel.readAll(query, take)),
          request.closed(),
        );
        return {
          stream: await noteExport(actor, 'contact_requests_exported', { status, subject, from, to }, stream),
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
      summary: 'Read a contact request',
      description: 'With the address and the client it came from.',
      data: contactRequest,
      handler: async ({ params }) => {
        const request = await readModel.find(params.id);
        if (request === undefined) throw new NotFoundError('contact_request_not_found');
        return { data: request };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/admin/contact-requests/:id/status',
      id: 'advanceContactRequest',
      summary: 'Move a contact request forward, or change its note',
      description: 'From pending to reviewed to resolved, or straight to resolved; never back.',
      body: advanceBody,
      data: advancedRequest,
      message: 'contact_request_updated',
      guard: ({ params }) => inbox.requireState(params.id),
      handler: async ({ actor, params, body }) => ({ data: await inbox.advance(actor, params.id, body) }),
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/admin/contact-requests/:id',
      id: 'deleteContactRequest',
      summary: 'Delete a contact request',
      description: 'In any state, and for good.',
      message: 'contact_request_deleted',
      handler: async ({ actor, params }) => {
        await inbox.delete(actor, params.id);
        return {};
      },
    }),
  ];
}
