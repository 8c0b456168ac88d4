import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { exportStates, type PersonalExportRow } from './personal-export-repository.ts';
import { day, type PersonalExportService } from './personal-export-service.ts';

const personalExport = z
  .object({
    id: id.meta({ example: 3 }),
    state: z.enum(exportStates).meta({ description: 'Being created, ready to download, or failed.', example: 'ready' }),
    requested_at: timestamp,
    finished_at: timestamp.nullable(),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When the archive is deleted: one day after it was created.' }),
    bytes: z.int().nullable().meta({ description: 'The size of the archive, once it is ready.', example: 48_213 }),
  })
  .meta({ id: 'PersonalExport' });
const personalExportState = personalExport
  .nullable()
  .meta({ description: 'The latest one, or null if there was none within the last day.' });

export function createPersonalExportRoutes({ exports }: { exports: PersonalExportService }): Operation[] {
  // Contains sign-ins and addresses, which personal access tokens cannot read.
  const own = { tag: 'Sign-in', access: 'user', scope: 'none' } as const;

  return [
    operation({
      ...own,
      method: 'post',
      path: '/api/me/export',
      id: 'requestExport',
      summary: 'Request an archive of your data',
      description:
        'A gzip-compressed tar file with account, preferences, projects, records, assignments, groups, awards, sign-ins and tokens as JSON, lists also as CSV, and the images of your projects. Created in the background: one at a time, at most three a day. You get a mail when it is ready.',
      status: 202,
      data: personalExport,
      message: 'export_requested',
      errors: ['CONFLICT'],
      idempotent: true,
      handler: async ({ actor, store }) => ({
        data: toExportResponse(await exports.request(store, actor)),
        location: '/api/me/export',
      }),
    }),

    operation({
      ...own,
      method: 'get',
      path: '/api/me/export',
      id: 'getExport',
      summary: 'Get the state of your latest archive',
      description: 'Null if you have requested none within the last day.',
      data: personalExportState,
      handler: async ({ actor }) => {
        const found = await exports.find(actor);
        return { data: found === undefined ? null : toExportResponse(found) };
      },
    }),

    operation({
      ...own,
      method: 'get',
      path: '/api/me/export/file',
      id: 'downloadExport',
      summary: 'Download your latest archive',
      description: 'Available for one day after it was created.',
      produces: ['application/gzip'],
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, request }) => {
        const { stream, bytes } = await exports.open(actor, request.closed());
        return {
          stream,
          contentType: 'application/gzip',
          headers: {
            'Cache-Control': 'no-store',
            'Content-Disposition': 'attachment; filename="studytrack-export.tar.gz"',
            'Content-Length': String(bytes),
          },
        };
      },
    }),
  ];
}

function toExportResponse(row: PersonalExportRow): z.input<typeof personalExport> {
  const { id, state, requested_at, finished_at, bytes } = row;
  const expires = state === 'ready' && finished_at !== null ? new Date(Date.parse(finished_at) + day) : null;
  return { id, state, requested_at, finished_at, expires_at: expires?.toISOString() ?? null, bytes };
}
