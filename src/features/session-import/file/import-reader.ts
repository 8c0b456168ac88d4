import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { ValidationError } from '../../../errors.ts';
import { createYield } from '../../../lib/fair-queue.ts';

/** Bytes that are decoded and parsed without yielding to the event loop. */
const pieceBytes = 1_024;

/** The text of a file in UTF-8, UTF-16 or GB18030, without a byte order mark. Throws ValidationError for another encoding. */
async function* readText(path: string): AsyncGenerator<string> {
  const encoding = await detectEncoding(path);
  try {
    yield* decode(path, encoding);
  } catch (error) {
    throw error instanceof TypeError ? ValidationError.of('file', 'import_encoding') : error;
  }
}

async function* decode(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }))
    yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

/** UTF-16 by its mark or its zero bytes; otherwise UTF-8, if the whole file is. */
async function detectEncoding(path: string): Promise<string> {
  const head = Buffer.alloc(64);
  const file = await open(path);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  await file.close();
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (bytesRead > 3 && first !== 0 && second === 0 && head[3] === 0) return 'utf-16le';
  if (bytesRead > 3 && first === 0 && second !== 0 && head[2] === 0) return 'utf-16be';
  try {
    for await (const _piece of decode(path, 'utf-8'));
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'gb18030';
    throw error;
  }
}

/** A row of a CSV file: its number as in a spreadsheet, and its cells; undefined if it cannot be read. */
export type FileRow = { row: number; cells: readonly string[] | undefined };

/** Ten years of ten sessions a day are 36,500 rows. `records` includes rows of separators only. */
export const fileLimits = { rows: 50_000, records: 200_000, columns: 64, record: 40_000 } as const;

const isBlank = (cell: string) => cell.trim() === '';
const separators = [',', ';', '\t'];

/**
 * Reads a CSV file in constant memory, yielding to the event loop: first the header, then the rows that are not empty.
 * Throws ValidationError for an invalid file.
 */
export async function* readCsvFile(path: string): AsyncGenerator<FileRow> {
  const yieldTurn = createYield();
  const text = readText(path);
  const { start, rest, separator, skipped } = await readStart(text);
  const broken = new Set<number>();
  let read = 0;
  const parser: Parser = parse({
    delimiter: separator,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: fileLimits.record,
    // The parser works ahead: each record carries its number.
    on_record: (record: string[], { empty_lines }) => {
      read += 1;
      // Otherwise the parser builds an error with a stack, which takes 40 µs, for each row that is shorter than the first one.
      Object.assign(parser.info, { records: 0 });
      return record.every(isBlank) ? null : [String(read + empty_lines + skipped), ...record];
    },
    on_skip: () => {
      read += 1;
      broken.add(read + parser.info.empty_lines + skipped);
      return undefined;
    },
  });
  const source = Readable.from(
    joined(start, rest, async () => {
      await yieldTurn();
      if (read > fileLimits.records) throw tooManyRows();
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  const records: AsyncIterable<string[]> = source.pipe(parser);
  let hasHeader = false;
  let count = 0;
  try {
    for await (const [number, ...cells] of records) {
      await yieldTurn();
      const row = Number(number);
      yield* takeBroken(broken, row);
      if (!hasHeader && cells.length > fileLimits.columns)
        throw ValidationError.of('file', 'import_too_many_columns', { row, maximum: fileLimits.columns });
      hasHeader = true;
      count += 1;
      if (count > fileLimits.rows + 1) throw tooManyRows();
      yield { row, cells };
    }
    yield* takeBroken(broken, Number.POSITIVE_INFINITY);
  } catch (error) {
    throw error instanceof CsvError ? ValidationError.of('file', 'import_row_broken') : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

const tooManyRows = () => ValidationError.of('file', 'import_too_many_rows', { maximum: fileLimits.rows });

function* takeBroken(broken: Set<number>, before: number): Generator<FileRow> {
  for (const row of broken) {
    if (row >= before) continue;
    broken.delete(row);
    yield { row, cells: undefined };
  }
}

async function* joined(start: string, rest: AsyncGenerator<string>, beforePiece: () => Promise<void>) {
  yield start;
  for await (const piece of rest) {
    await beforePiece();
    if (piece !== '') yield piece;
  }
}

/** The separator: as a first line `sep=;` says, or the one that is most frequent in the first line. */
async function readStart(text: AsyncGenerator<string>) {
  let start = '';
  while (!/[^\r\n][\r\n]/.test(start) && start.length < fileLimits.record) {
    const { value, done } = await text.next();
    if (done === true) break;
    start += value;
  }
  const declared = /^"?sep=(.)"?\r?\n/i.exec(start);
  if (declared?.[1] !== undefined)
    return { start: start.slice(declared[0].length), rest: text, separator: declared[1], skipped: 1 };
  const line =
    start
      .trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? '';
  const count = (separator: string) => line.split(separator).length;
  const [separator = ','] = separators.toSorted((a, b) => count(b) - count(a));
  return { start, rest: text, separator, skipped: 0 };
}
