import type { TakeRows } from '../../db/row-stream.ts';
import { csvLine, csvStart } from '../../lib/csv.ts';
import type { WriteExport } from '../../lib/exporter.ts';
import type { ExportRow } from './session-list-read-model.ts';

export const exportColumns = [
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
] as const satisfies readonly (keyof ExportRow)[];

type Read<Row> = (take: TakeRows<Row>) => Promise<void>;

/** Rows as a CSV file that spreadsheets open and that the import takes back. */
export function csvExport(read: Read<ExportRow>): WriteExport {
  const line = (row: ExportRow) => csvLine(exportColumns.map((column) => cell(row[column])));
  return async (write) => {
    await write(csvStart + csvLine(exportColumns));
    await read((rows) => write(rows.map(line).join('')));
  };
}

/** Records as the JSON answer of a list, without pages. */
export function jsonExport(read: Read<{ json: string }>, message: string): WriteExport {
  return async (write) => {
    await write(`{"success":true,"message":${JSON.stringify(message)},"data":{"sessions":[`);
    let separator = '';
    await read(async (records) => {
      await write(separator + records.map(({ json }) => json).join());
      separator = ',';
    });
    await write(']}}');
  };
}

function cell(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? String(value) : value;
}
