import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { assertScope } from '../../../http/steps/access.ts';
import { fileLimits } from './file/import-reader.ts';
import { toImportReportResponse, toImportStatusResponse } from './import-report-response.ts';
import { importReport } from './import-report-schemas.ts';
import type { ImportService } from './import-service.ts';
import { importBody, importList, importStatus, undoneImport } from './import-status-schemas.ts';

const maxBytes = 10 * 1024 * 1024;

export function createImportRoutes(service: ImportService): Operation[] {
  const base = { tag: 'Records', access: 'user' } as const;
  return [
    operation({
      ...base,
      method: 'post',
      path: '/api/sessions/import',
      id: 'importSessions',
      scope: 'sessions:write',
      summary: 'Import sessions',
      description: `Takes a CSV file of at most 10 MiB and ${fileLimits.rows} rows: an export of this service, also as JSON, a report of a time tracker such as Toggl Track, Clockify, Harvest or Kimai, or any table with columns for the project, the start, and the end or the duration. Projects are matched by id or name. Each row is in one of the counts imported, duplicates, skipped, invalid and left_out. Either all rows are imported or none, unless the options leave some out. Existing sessions are not changed, and sending a file again with the same options adds nothing. A user can have one import in progress, whose progress can be read.`,
      upload: { field: 'file', maxBytes },
      body: importBody,
      data: importReport,
      errors: ['CONFLICT'],
      cost: 'import',
      guard: ({ actor }) => service.requireNoneRunning(actor),
      handler: async ({ actor, body, file, request }) => {
        if (file === undefined) throw new Error('upload without a file');
        if (body.create_projects) assertScope('projects:write', actor.scopes);
        const result = await service.import(actor, { path: file.path, options: body });
        return {
          data: { import_id: result.import_id, ...toImportReportResponse(result, request.locale) },
          message: body.dry_run
            ? { key: 'import_checked' }
            : { key: 'import_done', params: { imported: result.imported } },
        };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/sessions/imports',
      id: 'listSessionImports',
      summary: 'List own imports',
      description: 'The ten newest imports of the last 7 days.',
      data: importList,
      handler: async ({ actor, request }) => {
        const imports = await service.list(actor);
        return { data: { imports: imports.map((row) => toImportStatusResponse(row, request.locale)) } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/sessions/imports/:id',
      id: 'getSessionImport',
      summary: 'Get the progress of an import',
      description: 'Only your own imports, which are stored for 7 days.',
      params: idParams,
      data: importStatus,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, request }) => ({
        data: toImportStatusResponse(await service.get(actor, params.id), request.locale),
      }),
    }),

    operation({
      ...base,
      method: 'delete',
      path: '/api/sessions/imports/:id',
      id: 'undoSessionImport',
      scope: 'sessions:write',
      summary: 'Undo an import',
      description:
        'Deletes the records that a finished import of the last 7 days has added, and projects that it created and that have no other records. Records that have been edited since are kept. Achievements are kept.',
      params: idParams,
      data: undoneImport,
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
      cost: 'import',
      handler: async ({ actor, params }) => {
        const data = await service.undo(actor, params.id);
        return { data, message: { key: 'import_undone', params: { deleted: data.deleted } } };
      },
    }),
  ];
}
