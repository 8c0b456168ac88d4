import type { TakeRows } from '../../../db/pool.ts';
import { csvLine, csvStart, jsonList, type WriteExport } from '../../../lib/export/exporter.ts';
import { type Locale, translate } from '../../../messages/index.ts';
import { toSessionResponse } from '../session-schemas.ts';
import type { SessionRow } from '../session-sql.ts';
import { hoursOf } from '../session-times.ts';

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

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Spreadsheet = { timeZone: string; separator: keyof typeof separators; locale: Locale };

/** For people: local times and hours. Spreadsheets that separate by semicolons write a decimal comma. */
export function spreadsheetExport(read: Read, { timeZone, separator, locale }: Spreadsheet): WriteExport {
  // Swedish dates are those of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const dayAndTime = (moment: string | null) => (moment === null ? [] : format.format(new Date(moment)).split(' '));
  const hours = (row: SessionRow) => {
    const number = hoursOf(row.duration_seconds);
    return separator === 'semicolon' ? String(number).replace('.', ',') : number;
  };
  const columns = (['date', 'start', 'end', 'hours', 'project', 'note', 'user'] as const).map((column) =>
    translate({ key: `export_${column}` }, locale),
  );
  const line = (row: SessionRow) => {
    const [day = null, start = null] = dayAndTime(row.started_at);
    const [, end = null] = dayAndTime(row.ended_at);
    const cells = [day, start, end, hours(row), row.project_name, row.note, row.username];
    return csvLine(cells, separators[separator]);
  };
  return async (write) => {
    await write(csvStart + csvLine(columns, separators[separator]));
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
