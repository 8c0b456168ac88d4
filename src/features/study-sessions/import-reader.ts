import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ValidationError } from '../../errors.ts';

export type Cells = Readonly<Record<string, string>>;

/** A row of a CSV file: its number as a spreadsheet counts (the header is 1), and its cells by lower-case column name. */
export type FileRow = { row: number; cells: Cells };

/**
 * Reads a CSV file row by row in constant memory, as the text the cells hold. Throws ValidationError for a file that is
 * not UTF-8 or no CSV.
 */
export async function* readCsvFile(path: string): AsyncGenerator<FileRow> {
  const parser = parse({
    columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 100_000,
  });
  pipeline(Readable.from(decode(path)), parser, () => undefined); // errors come out of the parser
  let row = 1;
  try {
    for await (const cells of parser) {
      row += 1;
      yield { row, cells: cells as Cells }; // made by the parser from text
    }
  } catch (error) {
    if (error instanceof CsvError) throw ValidationError.of('file', 'import_no_csv', { row: row + 1 });
    if (error instanceof TypeError) throw ValidationError.of('file', 'import_not_utf8');
    throw error;
  }
}

async function* decode(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
