import { type Operation, operation } from '../../http/operation.ts';
import { translate } from '../../messages/index.ts';
import type { ImportService } from './import-service.ts';
import { importBody, importReport } from './session-schemas.ts';

const maxBytes = 10 * 1024 * 1024;

export function createImportRoutes(service: ImportService): Operation[] {
  return [
    operation({
      method: 'post',
      path: '/api/sessions/import',
      id: 'importSessions',
      tag: 'Records',
      summary: 'Import records',
      description:
        'From a CSV file in UTF-8 of at most 10 MiB: our own export, or the detailed report of Toggl Track or Clockify. Projects are found by id or name. All rows are saved or none; what is there already is left alone, so a file may be sent again.',
      access: 'user',
      upload: { field: 'file', maxBytes },
      body: importBody,
      data: importReport,
      errors: ['SESSION_OVERLAP'],
      handler: async ({ actor, body, file, request }) => {
        if (file === undefined) throw new Error('an upload without its file');
        const { dry_run: dryRun, time_zone: timeZone = actor.timezone } = body;
        const report = await service.import(actor, { path: file.path, dryRun, timeZone });
        const imported = dryRun ? 0 : report.valid;
        const errors = report.errors.map((error) => ({ ...error, message: translate(error.message, request.locale) }));
        return {
          data: { ...report, imported, errors },
          message: dryRun ? { key: 'import_checked' } : { key: 'import_done', params: { imported } },
        };
      },
    }),
  ];
}
