import { versionTag } from '../../http/conditional.ts';
import { idParams, paginate } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/exporter.ts';
import { type Locale, translate } from '../../messages/index.ts';
import type { NoteExport } from '../audit/export-audit.ts';
import type { Actor } from '../auth/identity.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import type { OverdueTimers } from './overdue-timers.ts';
import { csvExport, jsonExport } from './session-export.ts';
import type { SessionListReadModel } from './session-list-read-model.ts';
import type { SessionReading } from './session-repository.ts';
import {
  createSessionBody,
  exportSessionsQuery,
  listProjectSessionsQuery,
  listSessionsQuery,
  type SessionPageQuery,
  session,
  sessionPage,
  updateSessionBody,
} from './session-schemas.ts';
import type { SessionService } from './session-service.ts';
import { plusSeconds } from './session-times.ts';

export type SessionRoutesOptions = {
  service: SessionService;
  lists: SessionListReadModel;
  overdue: OverdueTimers;
  access: ProjectAccessCheck;
  exporter: Exporter;
  clock: Clock;
  noteExport: NoteExport;
};

export function createSessionRoutes(options: SessionRoutesOptions): Operation[] {
  const { service, lists, overdue, access, exporter, clock, noteExport } = options;
  const base = { tag: 'Records', access: 'user' } as const;
  const onOne = { ...base, params: idParams, errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'] } as const;

  async function list(actor: Actor, query: SessionPageQuery) {
    const read = () => lists.read(actor, query, clock(), plusSeconds(clock(), -overdue.maxSeconds));
    let found = await read();
    if (found.overdue) {
      await overdue.end(null);
      found = await read();
    }
    const pagination = JSON.stringify(paginate(query.page, query.limit, found.total));
    return { json: `{"sessions":${found.json},"pagination":${pagination}}` };
  }

  return [
    operation({
      ...onOne,
      method: 'post',
      path: '/api/projects/:id/sessions',
      id: 'createSession',
      summary: 'Record a stretch of study',
      description:
        'On a project that the caller sees and that is active, or was when the record began. 1 second to 24 hours; two records of one user never overlap.',
      body: createSessionBody(clock),
      data: session,
      status: 201,
      message: 'session_created',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'PROJECT_NOT_ACTIVE', 'SESSION_OVERLAP'],
      idempotent: true,
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: ({ actor, params, body, request, once }) =>
        overdue.retry(() =>
          once(async (db) => {
            const { id, row_version, json } = await service.create(db, actor, params.id, body);
            return { json, location: `/api/sessions/${id}`, etag: versionTag(row_version, actor.id, request.locale) };
          }),
        ),
    }),

    operation({
      ...onOne,
      method: 'get',
      path: '/api/projects/:id/sessions',
      id: 'listProjectSessions',
      summary: 'List the records of a project',
      description: 'All of them to its owner and administrators; other viewers find their own.',
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
      description: 'Own ones, and those on own projects, deleted ones too; administrators see all.',
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
      description:
        'The finished records of the list, all pages of it, as of one moment. The CSV file can be imported again.',
      query: exportSessionsQuery,
      data: sessionPage.pick({ sessions: true }),
      produces: ['text/csv'],
      handler: async ({ actor, query: { format, ...filter }, request }) => {
        const { from, to, user_id, project_id } = filter;
        const isCsv = format === 'csv';
        const work = isCsv
          ? csvExport((take) => lists.exportRows(actor, filter, take))
          : jsonExport((take) => lists.exportJson(actor, filter, take), translate({ key: 'ok' }, request.locale));
        const stream = await exporter.run(`user ${actor.id}`, work, request.closed());
        return {
          stream: await noteExport(actor, 'records_exported', { from, to, user_id, project_id }, stream),
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
      summary: 'Read one record',
      description: 'For its author, the owner of the project and administrators.',
      data: session,
      handler: async ({ actor, params, request }) => {
        const found = await service.get(actor, params.id);
        return { json: found.json, etag: entityTag(found, actor, request.locale) };
      },
    }),

    operation({
      ...onOne,
      method: 'put',
      path: '/api/sessions/:id',
      id: 'updateSession',
      summary: 'Correct a record',
      description:
        'All fields are optional; one with its present value changes nothing. A running timer takes a note only.',
      body: updateSessionBody,
      data: session,
      message: 'session_updated',
      errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND', 'SESSION_OVERLAP', 'TIMER_RUNNING'],
      conditional: true,
      guard: ({ actor, params }) => service.requireChange(actor, params.id),
      handler: async ({ actor, params, body, expectedVersion, request }) => {
        const changed = await overdue.retry(() => service.update(actor, params.id, body, expectedVersion));
        return { json: changed.json, etag: entityTag(changed, actor, request.locale) };
      },
    }),

    operation({
      ...onOne,
      method: 'delete',
      path: '/api/sessions/:id',
      id: 'deleteSession',
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

/** The record shows the name of its project, and while it runs the time so far: both are part of its state to a reader. */
function entityTag(found: SessionReading, actor: Actor, locale: Locale): string {
  const shown = found.running ? `${found.project_version}.${found.seconds}` : found.project_version;
  return versionTag(found.row_version, actor.id, `${locale}.${shown}`);
}
