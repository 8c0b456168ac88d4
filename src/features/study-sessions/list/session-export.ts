import type { TakeRows } from '../../../db/row-stream.ts';
import { csvLine, csvStart } from '../../../lib/csv/csv.ts';
import type { WriteExport } from '../../../lib/export/exporter.ts';
import { jsonList } from '../../../lib/export/json-export.ts';
import { toSessionResponse } from '../session-schemas.ts';
import type { SessionRow } from '../session-sql.ts';

const exportColumns = [
  'project_id',
  'project_name',
  'user_id',
  'started_at',
  'ended_at',
  'duration_seconds',
  'note',
  'source',
  'time_zone',
  'auto_stopped',
] as const satisfies readonly (keyof SessionRow)[];

type Read = (take: TakeRows<SessionRow>) => Promise<void>;

/** As CSV that spreadsheets can open and the import accepts. */
export function csvExport(read: Read): WriteExport {
  const line = (row: SessionRow) => csvLine(exportColumns.map((column) => cell(row[column])));
  return async (write) => {
    await write(csvStart + csvLine(exportColumns));
    await read((rows) => write(rows.map(line).join('')));
  };
}

export const jsonExport = (read: Read, message: string): WriteExport =>
  jsonList(read, toSessionResponse, [
    `{"success":true,"message":${JSON.stringify(message)},"data":{"sessions":[`,
    ']}}',
  ]);

function cell(value: string | number | boolean | null): string | number | null {
  return typeof value === 'boolean' ? String(value) : value;
}
