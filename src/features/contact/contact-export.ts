import { Readable } from 'node:stream';
import { csvLine, csvStart } from '../../lib/csv.ts';
import type { ContactRow } from './inbox-read-model.ts';

const columns = [
  'id',
  'name',
  'email',
  'phone',
  'subject',
  'message',
  'status',
  'admin_note',
  'ip_address',
  'user_agent',
  'user_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ContactRow)[];

/** Requests (a stream of ContactRow) as the lines of a CSV file. */
export function exportRequests(rows: Readable): Readable {
  return Readable.from(lines(rows));
}

async function* lines(rows: AsyncIterable<ContactRow>) {
  yield csvStart + csvLine(columns);
  for await (const row of rows) yield csvLine(columns.map((column) => row[column]));
}
