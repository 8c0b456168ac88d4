import { Readable } from 'node:stream';
import { csvLine, csvStart } from '../../lib/csv.ts';
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

/** Rows as a CSV file that spreadsheets open and that the import takes back. */
export function csvExport(rows: AsyncIterable<ExportRow>): Readable {
  async function* lines() {
    yield csvStart + csvLine(exportColumns);
    for await (const row of rows) yield csvLine(exportColumns.map((column) => cell(row[column])));
  }
  return Readable.from(inChunks(lines()));
}

/** Records as the JSON answer of a list, without pages. `head` is the text up to the first of them. */
export function jsonExport(records: AsyncIterable<{ json: string }>, message: string): Readable {
  async function* parts() {
    yield `{"success":true,"message":${JSON.stringify(message)},"data":{"sessions":[`;
    let separator = '';
    for await (const { json } of records) {
      yield separator + json;
      separator = ',';
    }
    yield ']}}';
  }
  return Readable.from(inChunks(parts()));
}

function cell(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? String(value) : value;
}

/** Fewer, larger writes. */
async function* inChunks(parts: AsyncIterable<string>) {
  let chunk = '';
  for await (const part of parts) {
    chunk += part;
    if (chunk.length < 32_768) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
