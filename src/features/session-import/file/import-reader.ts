import { createReadStream } from 'node:fs';
import { ValidationError } from '../../../errors.ts';
import { CsvFormatError, createCsvParser } from '../../../lib/csv/csv-parser.ts';
import { createSlices } from '../../../lib/slices.ts';

export type Cells = Readonly<Record<string, string>>;

/** A row of a CSV file: its number as in a spreadsheet (the header is 1), and its cells by lower-case column name. */
export type FileRow = { row: number; cells: Cells };

/** Ten years of ten sessions a day are 36,500 rows. */
export const fileLimits = { rows: 50_000, columns: 64, cell: 4_000 } as const;

/** Bytes that are parsed without yielding to the event loop. */
const pieceBytes = 16_384;

/** Reads a CSV file in constant memory, yielding to the event loop. Throws ValidationError for an invalid file. */
export async function* readCsvFile(path: string): AsyncGenerator<FileRow> {
  const yieldTurn = createSlices();
  let names: string[] | undefined;
  let row = 1;
  for await (const records of parse(path)) {
    for (const record of records) {
      await yieldTurn();
      if (names === undefined) {
        names = record.map((name) => name.trim().toLowerCase());
        continue;
      }
      row += 1;
      if (row > fileLimits.rows + 1)
        throw ValidationError.of('file', 'import_too_many_rows', { maximum: fileLimits.rows });
      yield { row, cells: byName(names, record) };
    }
  }
}

async function* parse(path: string): AsyncGenerator<string[][]> {
  const parser = createCsvParser({ cells: fileLimits.columns, length: fileLimits.cell });
  try {
    for await (const text of decode(path)) yield parser.push(text);
    yield parser.end();
  } catch (error) {
    throw error instanceof CsvFormatError ? toValidationError(error) : error;
  }
}

async function* decode(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }))
      yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? ValidationError.of('file', 'import_not_utf8') : error;
  }
}

/** Missing cells are empty. Names come from the file, so the object has no prototype. */
function byName(names: readonly string[], record: readonly string[]): Cells {
  const cells: Record<string, string> = Object.create(null);
  for (const [index, name] of names.entries()) cells[name] = record[index] ?? '';
  return cells;
}

function toValidationError({ fault, record: row }: CsvFormatError): ValidationError {
  switch (fault) {
    case 'malformed':
      return ValidationError.of('file', 'import_no_csv', { row });
    case 'too many cells':
      return ValidationError.of('file', 'import_too_many_columns', { row, maximum: fileLimits.columns });
    case 'cell too long':
      return ValidationError.of('file', 'import_cell_too_long', { row, maximum: fileLimits.cell });
  }
}
