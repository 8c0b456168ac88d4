import type { TakeRows } from '../../../../db/row-stream.ts';
import type { ZoneRules } from '../../../../db/time-zones.ts';
import { csvList, jsonList, type WriteExport } from '../../../../lib/export/exporter.ts';
import { type Locale, translate } from '../../../../texts/index.ts';
import { joinTags } from '../../tags/tag-fields.ts';
import { toSessionResponse } from '../session-responses.ts';
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
  'tags',
  'source',
  'time_zone',
  'auto_stopped',
] as const satisfies readonly (keyof SessionRow)[];

type Read = (take: TakeRows<SessionRow>) => Promise<void>;

/** As CSV that spreadsheets can open and the import accepts. */
export const csvExport = (read: Read): WriteExport =>
  csvList(read, exportColumns, (row) => exportColumns.map((column) => cell(row[column])));

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Spreadsheet = { rules: ZoneRules; separator: keyof typeof separators; locale: Locale };

/** For people: local times and hours. Spreadsheets that separate by semicolons write a decimal comma. */
export function spreadsheetExport(read: Read, { rules, separator, locale }: Spreadsheet): WriteExport {
  const dayAndTime = (time: string | null) => {
    if (time === null) return [];
    const moment = Date.parse(time);
    return new Date(moment + rules.offsetAt(moment)).toISOString().slice(0, 19).split('T');
  };
  const hours = (row: SessionRow) => {
    const number = hoursOf(row.duration_seconds);
    return separator === 'semicolon' ? String(number).replace('.', ',') : number;
  };
  const columns = (['date', 'start', 'end', 'hours', 'project', 'note', 'tags', 'user'] as const).map((column) =>
    translate({ key: `export_${column}` }, locale),
  );
  const cells = (row: SessionRow) => {
    const [day = null, start = null] = dayAndTime(row.started_at);
    const [, end = null] = dayAndTime(row.ended_at);
    return [day, start, end, hours(row), row.project_name, row.note, joinTags(row.tags), row.username];
  };
  return csvList(read, columns, cells, separators[separator]);
}

export const jsonExport = (read: Read, message: string): WriteExport =>
  jsonList(read, toSessionResponse, [
    `{"success":true,"message":${JSON.stringify(message)},"data":{"sessions":[`,
    ']}}',
  ]);

function cell(value: SessionRow[keyof SessionRow]): string | number | null {
  if (Array.isArray(value)) return joinTags(value);
  return typeof value === 'boolean' ? String(value) : value;
}
