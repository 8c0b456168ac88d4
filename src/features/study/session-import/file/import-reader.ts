import { Readable } from 'node:stream';
import { type Parser, parse } from 'csv-parse';
import { createYield } from '../../../../lib/fair-queue.ts';
import { ValidationError } from '../../../../texts/errors.ts';
import { readText } from './file-text.ts';
import { isJson, readJsonRows } from './json-records.ts';
import { overlong, prepareRecords } from './record-text.ts';

/** Bytes that are decoded and parsed without yielding to the event loop. */
const pieceBytes = 1_024;

/** A row of a CSV file: its number as in a spreadsheet, and its cells; undefined if it is too long. */
export type FileRow = { row: number; cells: readonly string[] | undefined };

/** Ten years of ten sessions a day are 36,500 rows. `records`, four times as many, include rows of separators only. */
export const fileLimits = { rows: 50_000, records: 200_000, columns: 64, record: 40_000 } as const;

const isBlank = (cell: string) => cell.trim() === '';
const separators = [',', ';', '\t'];
/** Titles may precede the header. */
export const maxHeaderRows = 10;

export const tooManyRows = (maximum: number = fileLimits.rows) =>
  ValidationError.of('file', 'import_too_many_rows', { maximum });

/**
 * Reads a CSV file, or a JSON export of this service, in constant memory, yielding to the event loop: the rows that are not empty,
 * with the header. Throws ValidationError for an invalid file.
 */
export async function* readRecords(path: string, maxRows: number = fileLimits.rows): AsyncGenerator<FileRow> {
  const yieldTurn = createYield();
  const { start, rest } = await readStart(readText(path, pieceBytes));
  const text = joined(start, rest, yieldTurn);
  let count = 0;
  for await (const record of isJson(start) ? readJson(text) : readCsv(text, start, yieldTurn, 4 * maxRows)) {
    await yieldTurn();
    if (record.cells !== undefined) {
      if (count === 0 && record.cells.length > fileLimits.columns) throw tooManyColumns(record.row);
      count += 1;
      if (count > maxRows + maxHeaderRows) throw tooManyRows(maxRows);
    }
    yield record;
  }
}

export const tooManyColumns = (row: number) =>
  ValidationError.of('file', 'import_too_many_columns', { row, maximum: fileLimits.columns });

async function* readJson(text: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let row = 0;
  for await (const cells of readJsonRows(text, fileLimits.record)) {
    row += 1;
    if (row > fileLimits.records) throw tooManyRows();
    if (!cells.every(isBlank)) yield { row, cells };
  }
}

async function* readCsv(
  text: AsyncIterable<string>,
  start: string,
  yieldTurn: () => Promise<void>,
  maxRecords: number,
): AsyncGenerator<FileRow> {
  const { separator, skipped } = formOf(start);
  const tooLong = new Set<number>();
  let read = -skipped;
  const parser: Parser = parse({
    delimiter: separator,
    // Any of them ends a row, as in `prepareRecords`; by default only the kind that the file has first.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // The parser works ahead: each record carries its number.
    on_record: (record: string[], { empty_lines }) => {
      read += 1;
      // Otherwise the parser builds an error with a stack, which takes 40 µs, for each row that is shorter than the first one.
      Object.assign(parser.info, { records: 0 });
      const row = read + empty_lines + skipped;
      if (record.at(-1) === overlong) tooLong.add(row);
      else if (read > 0 && !record.every(isBlank)) return [String(row), ...record];
      return null;
    },
  });
  const limits = { record: fileLimits.record, piece: pieceBytes };
  const source = Readable.from(
    joined('', prepareRecords(text, separator, limits), async () => {
      await yieldTurn();
      if (read > maxRecords) throw tooManyRows(maxRecords / 4);
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  const records: AsyncIterable<string[]> = source.pipe(parser);
  try {
    for await (const [number, ...cells] of records) {
      const row = Number(number);
      yield* takeBefore(tooLong, row);
      yield { row, cells };
    }
    yield* takeBefore(tooLong, Number.POSITIVE_INFINITY);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

function* takeBefore(tooLong: Set<number>, before: number): Generator<FileRow> {
  for (const row of tooLong) {
    if (row >= before) continue;
    tooLong.delete(row);
    yield { row, cells: undefined };
  }
}

async function* joined(start: string, rest: AsyncGenerator<string>, beforePiece: () => Promise<void>) {
  if (start !== '') yield start;
  for await (const piece of rest) {
    await beforePiece();
    if (piece !== '') yield piece;
  }
}

/** The text up to the end of the first line that is not empty, or more. */
async function readStart(text: AsyncGenerator<string>) {
  let start = '';
  while (!/[^\r\n][\r\n]/.test(start) && start.length < fileLimits.record) {
    const { value, done } = await text.next();
    if (done === true) break;
    start += value;
  }
  return { start, rest: text };
}

/** The separator: as a first line `sep=;` says, or the one that is most frequent in the first line that has any. */
function formOf(start: string): { separator: string; skipped: number } {
  const declared = /^"?sep=([^"])"?\r?\n/i.exec(start)?.[1];
  if (declared !== undefined) return { separator: declared, skipped: 1 };
  const lines = start.replace(/"[^"]*"/g, '').split(/[\r\n]+/, 10);
  const line = lines.find((text) => separators.some((separator) => text.includes(separator))) ?? '';
  const count = (separator: string) => line.split(separator).length;
  const [separator = ','] = separators.toSorted((a, b) => count(b) - count(a));
  return { separator, skipped: 0 };
}
