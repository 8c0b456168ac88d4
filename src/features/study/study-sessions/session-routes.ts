import type { Actor } from '../../../actor.ts';
import type { Periods } from '../../../db/periods.ts';
import type { TakeRows } from '../../../db/row-stream.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import { idParams, paginate } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { contentVersionTag } from '../../../http/reply.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Exporter } from '../../../lib/export/exporter.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { AuditExport } from '../../operations/audit/export-audit.ts';
import type { ProjectAccessCheck } from '../project-access/project-access.ts';
import { csvExport, jsonExport, spreadsheetExport } from './list/session-export.ts';
import type { SessionListReadModel } from './list/session-list-read-model.ts';
import type { OverdueTimers } from './overdue-timers.ts';
import { session, sessionPage, toSessionResponse } from './session-responses.ts';
import {
  createSessionBody,
  exportSessionsQuery,
  listProjectSessionsQuery,
  listSessionsQuery,
  type SessionPageQuery,
  updateSessionBody,
} from './session-schemas.ts';
import type { SessionService } from './session-service.ts';
import type { SessionRow } from './session-sql.ts';

export type SessionRoutesOptions = {
  service: SessionService;
  lists: SessionListReadModel;
  overdue: OverdueTimers;
  access: ProjectAccessCheck;
  exporter: Exporter;
  clock: Clock;
  auditExport: AuditExport;
  periods: Periods;
  timeZones: TimeZones;
};

export function createSessionRoutes(options: SessionRoutesOptions): Operation[] {
  const { service, lists, overdue, access, exporter, clock, auditExport, periods, timeZones } = options;
  const base = { tag: 'Records', access: 'user' } as const;
  const onOne = { ...base, params: idParams, errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'] } as const;

  async function list(
    actor: Actor,
    given: Parameters<typeof periods.instants>[1] & Omit<SessionPageQuery, 'from' | 'to'>,
  ) {
    const query = await periods.instants(actor.id, given);
    const { total, is_minimum, sessions } = await service.list(actor, query);
    const pagination = paginate(query.page, query.limit, total);
    return {
      data: {
        sessions: sessions.map(toSessionResponse),
        pagination,
        ...(is_minimum && { total_is_minimum: true as const }),
      },
    };
  }

  return [
    operation({
      ...onOne,
      method: 'post',
      path: '/api/projects/:id/sessions',
      id: 'createSession',
      scope: 'sessions:write',
      summary: 'Create a study record',
      description:
        'On a project that the caller can see and that is active, or was when the record began. A record lasts 1 second to 24 hours; records of the same user never overlap.',
      body: createSessionBody(clock),
      data: session,
      status: 201,
      message: 'session_created',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'PROJECT_NOT_ACTIVE', 'SESSION_OVERLAP', 'CONFLICT'],
      idempotent: true,
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      recover: (error, actor) => overdue.recover(error, actor.id),
      replay: async ({ actor, request }, id) => replyWithNew(await service.get(actor, id), request.locale),
      handler: async ({ actor, params, body, key, request }) =>
        replyWithNew(await service.create(actor, params.id, body, key), request.locale),
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id/sessions',
      id: 'listProjectSessions',
      summary: 'List the records of a project',
      description: 'All records for the owner and administrators; others see their own.',
      query: listProjectSessionsQuery,
      data: sessionPage,
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: async ({ actor, params, query }) => {
        await access.requireView(actor, params.id);
        return list(actor, { ...query, project_id: params.id });
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/sessions',
      id: 'listSessions',
      summary: 'List records',
      description:
        'Your own, and those on projects you own, including deleted ones; administrators see all. Filters are combined with AND.',
      query: listSessionsQuery,
      data: sessionPage,
      handler: ({ actor, query }) => list(actor, query),
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/sessions/export',
      id: 'exportSessions',
      summary: 'Download records',
      description: 'All pages of finished records in the list, from one snapshot. The CSV file can be imported again.',
      query: exportSessionsQuery,
      data: sessionPage.pick({ sessions: true }),
      produces: ['text/csv'],
      handler: async ({ actor, query: { format, layout, separator, ...given }, request }) => {
        const filter = await periods.instants(actor.id, given);
        const { from, to, user_id, username, project_id } = filter;
        const narrowed = { from, to, user_id, project_id, ...(username !== '' && { username }) };
        const isCsv = format === 'csv';
        const read = (take: TakeRows<SessionRow>) => lists.export(actor, filter, take);
        const { locale } = request;
        const rules = await timeZones.rulesOf(actor.timezone);
        const asCsv = () =>
          layout === 'fields' ? csvExport(read) : spreadsheetExport(read, { rules, separator, locale });
        const work = isCsv ? asCsv() : jsonExport(read, translate({ key: 'ok' }, locale));
        const stream = await exporter.run(`user ${actor.id}`, work, request.closed());
        return {
          stream: await auditExport(actor, 'records_exported', narrowed, stream),
          contentType: `${isCsv ? 'text/csv' : 'application/json'}; charset=utf-8`,
          headers: { 'Content-Disposition': `attachment; filename="study-records.${format}"` },
        };
      },
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/sessions/:id',
      id: 'getSession',
      summary: 'Get a record',
      description: 'For its author, the owner of the project and administrators.',
      data: session,
      handler: async ({ actor, params, request }) => replyWith(await service.get(actor, params.id), request.locale),
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/sessions/:id',
      id: 'updateSession',
      scope: 'sessions:write',
      summary: 'Update a record',
      description:
        'All fields are optional; a field with its current value changes nothing. The end of a running timer cannot be changed, and its start must be at most 24 hours ago. Another `project_id` moves the record and its hours to that project, which its author must be able to see and which must be active, or have been when the record began.',
      body: updateSessionBody,
      data: session,
      message: 'session_updated',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'SESSION_OVERLAP', 'TIMER_RUNNING', 'PROJECT_NOT_ACTIVE'],
      conditional: true,
      guard: ({ actor, params }) => service.requireChange(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) =>
        replyWith(await service.update(actor, params.id, body, expectedVersion), request.locale),
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/sessions/:id',
      id: 'deleteSession',
      scope: 'sessions:write',
      summary: 'Delete a record',
      description: 'A running timer is discarded.',
      message: 'session_deleted',
      conditional: true,
      handler: async ({ actor, params, expectedVersion }) => {
        await service.delete(actor, params.id, expectedVersion);
        return {};
      },
    }),
  ];
}

/** The row version does not cover the names in a session or the elapsed time of a running one. */
function replyWithNew(session: SessionRow, locale: Locale) {
  return { ...replyWith(session, locale), location: `/api/sessions/${session.id}` };
}

function replyWith(row: SessionRow, locale: Locale) {
  const data = toSessionResponse(row);
  return { data, etag: contentVersionTag(row.row_version, data, locale) };
}
