import { ValidationError } from '../../../errors.ts';
import { readRecords } from '../../session-import/file/import-reader.ts';
import type { RosterRows } from './roster-row.ts';

/** The cells of a line by the names of the columns, which OneRoster fixes. */
export type TableRow = { row: number; get: (name: string) => string };

export type ReadTable = { path: string; file: string; required: readonly string[]; maxRows: number; rows: RosterRows };

/** Reads a file of a OneRoster archive. Throws ValidationError if a column is missing. */
export async function* readTable({ path, file, required, maxRows, rows }: ReadTable): AsyncGenerator<TableRow> {
  let columns: Map<string, number> | undefined;
  for await (const { row, cells } of readRecords(path, maxRows)) {
    if (cells === undefined) {
      rows.fail(file, row, 'file', 'import_row_too_long');
    } else if (columns === undefined) {
      columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
      const missing = required.filter((name) => !columns?.has(name.toLowerCase()));
      if (missing.length > 0) throw ValidationError.of(file, 'roster_column_missing', { names: missing.join(', ') });
    } else {
      const known = columns;
      yield { row, get: (name) => cells[known.get(name.toLowerCase()) ?? -1]?.trim() ?? '' };
    }
  }
}
