import type { TakeRows } from '../../db/row-stream.ts';
import { csvLine, csvStart } from '../../lib/csv/csv.ts';
import type { WriteExport } from '../../lib/export/exporter.ts';
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

export function exportRequests(read: (take: TakeRows<ContactRow>) => Promise<void>): WriteExport {
  return async (write) => {
    await write(csvStart + csvLine(columns));
    await read((rows) => write(rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')));
  };
}
