import { type Operation, operation } from '../../http/operation.ts';
import { assertScope } from '../../http/scopes.ts';
import { idParams } from '../../http/validation/fields.ts';
import { fileLimits } from './file/import-reader.ts';
import { toImportReportResponse, toImportStatusResponse } from './import-responses.ts';
import { importBody, importList, importReport, importStatus } from './import-schemas.ts';
import type { ImportService } from './import-service.ts';

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
      description: `From a CSV file in UTF-8 of at most 10 MiB and ${fileLimits.rows} rows: our own export, or the detailed report of Toggl Track or Clockify. Projects are found by id or name. All rows are imported or none, unless the options leave some out; existing sessions are not changed, and a file that is sent again with the same options adds nothing. A user has one import in progress at a time, whose progress can be read meanwhile.`,
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
      description: 'The newest ten of the caller, from the last 7 days.',
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
      summary: 'Read the progress of an import',
      description: 'One of the caller’s own; imports are stored for 7 days.',
      params: idParams,
      data: importStatus,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, request }) => ({
        data: toImportStatusResponse(await service.get(actor, params.id), request.locale),
      }),
    }),
  ];
}
