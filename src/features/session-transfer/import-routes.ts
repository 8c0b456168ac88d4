import { idParams } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { type Locale, translate } from '../../messages/index.ts';
import { fileLimits } from './import-reader.ts';
import type { ImportReport, ImportRow } from './import-repository.ts';
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
      summary: 'Import records',
      description: `From a CSV file in UTF-8 of at most 10 MiB and ${fileLimits.rows} rows: our own export, or the detailed report of Toggl Track or Clockify. Projects are found by id or name. All rows are saved or none; what is there already is left alone, so a file may be sent again. One import of a user runs at a time; its progress can be read meanwhile.`,
      upload: { field: 'file', maxBytes },
      body: importBody,
      data: importReport,
      errors: ['CONFLICT'],
      cost: 'import',
      guard: ({ actor }) => service.requireNoneRunning(actor),
      handler: async ({ actor, body, file, request }) => {
        if (file === undefined) throw new Error('an upload without its file');
        const { dry_run: dryRun, time_zone: timeZone = actor.timezone } = body;
        const { import_id, imported, ...report } = await service.import(actor, { path: file.path, dryRun, timeZone });
        return {
          data: { import_id, ...present(report, imported, request.locale) },
          message: dryRun ? { key: 'import_checked' } : { key: 'import_done', params: { imported } },
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
        return { data: { imports: imports.map((row) => presentStatus(row, request.locale)) } };
      },
    }),

    operation({
      ...base,
      method: 'get',
      path: '/api/sessions/imports/:id',
      id: 'getSessionImport',
      summary: 'Read the progress of an import',
      description: 'One of the caller’s own; imports are kept for 7 days.',
      params: idParams,
      data: importStatus,
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor, params, request }) => ({
        data: presentStatus(await service.get(actor, params.id), request.locale),
      }),
    }),
  ];
}

function present(report: ImportReport, imported: number, locale: Locale) {
  const errors = report.errors.map((error) => ({ ...error, message: translate(error.message, locale) }));
  return { ...report, imported, errors };
}

function presentStatus({ report, failure, ...row }: ImportRow, locale: Locale) {
  return {
    ...row,
    report: report && present(report, row.imported, locale),
    error: failure && {
      code: failure.code,
      message: translate(failure.text, locale),
      details: failure.details.map(({ field, message }) => ({ field, message: translate(message, locale) })),
    },
  };
}
