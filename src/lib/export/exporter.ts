import { Readable } from 'node:stream';
import { RateLimitedError, UnavailableError } from '../../texts/errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Logger } from '../log/logger.ts';
import { createSpool } from './spool.ts';

/** A byte order mark: spreadsheets then read the file as UTF-8. */
export const csvStart = '\uFEFF';

/** How a formula may start in spreadsheets, including white space and full-width characters. */
const formula = /^['\s]*[=+\-@\t\r＝＋－＠]/;
/**
 * A formula behind a character that separates cells in some program: one that splits at semicolons honours no quotes within a line
 * of a file with commas, and takes `a;=1+1` for two cells.
 */
const innerFormula = /([,;|\t\r\n])(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])/g;
const guardedFormula = /([,;|\t\r\n])'(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])/g;

/**
 * A line by RFC 4180, with all text quoted. Formulas get an apostrophe, at the start of a text and behind each separator within it,
 * and so does text that already has one there, so that `withoutGuard` can reverse it.
 */
export function csvLine(cells: readonly (string | number | null)[], separator = ','): string {
  return `${cells.map(cell).join(separator)}\r\n`;
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return `"${withGuard(value).replaceAll('"', '""')}"`;
}

export function withGuard(text: string): string {
  const inner = text.replace(innerFormula, "$1'");
  return formula.test(text) ? `'${inner}` : inner;
}

export function withoutGuard(text: string): string {
  const start = text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
  return start.replace(guardedFormula, '$1');
}

/** Passes on the rows in batches. */
type Read<Row> = (take: (rows: readonly Row[]) => Promise<void>) => Promise<void>;
type Cells = readonly (string | number | null)[];

/** A file that spreadsheets can open, with the names of the columns in its first line. */
export function csvList<Row>(
  read: Read<Row>,
  columns: readonly string[],
  toCells: (row: Row) => Cells,
  separator = ',',
): WriteExport {
  return async (write) => {
    await write(csvStart + csvLine(columns, separator));
    await read((rows) => write(rows.map((row) => csvLine(toCells(row), separator)).join('')));
  };
}

export function jsonList<Row>(
  read: Read<Row>,
  toEntry: (row: Row) => object,
  [before, after]: readonly [string, string],
): WriteExport {
  return async (write) => {
    await write(before);
    let separator = '';
    await read(async (rows) => {
      await write(separator + rows.map((row) => JSON.stringify(toEntry(row))).join());
      separator = ',';
    });
    await write(after);
  };
}

/** Writes the whole text. `write` throws after the export was aborted. */
export type WriteExport = (write: (text: string) => Promise<void>) => Promise<void>;

export type ExporterOptions = {
  folder: string;
  logger: Logger;
  idleSeconds?: number;
  totalSeconds?: number;
  /** On the disk, of an export. */
  fileBytes?: number;
};

export type Exporter = ReturnType<typeof createExporter>;

const openPerCaller = 3;
const partBytes = 65_536;

type ReadParts = (setWaiting: (isWaiting: boolean) => void) => AsyncIterable<Buffer>;

/** Exports are spooled at full speed in a fair queue, so that slow clients hold no database connection. */
export function createExporter({ folder, logger, idleSeconds = 30, totalSeconds = 600, fileBytes }: ExporterOptions) {
  const queue = createFairQueue({ slots: 3, perCaller: 1, waitingPerCaller: 2, waitSeconds: 10 });
  const open = new Map<string, number>();

  function acquire(caller: string): () => void {
    const count = open.get(caller) ?? 0;
    if (count >= openPerCaller) throw new RateLimitedError(10, 'too_many_at_once');
    open.set(caller, count + 1);
    return () => {
      const left = (open.get(caller) ?? 1) - 1;
      if (left === 0) open.delete(caller);
      else open.set(caller, left);
    };
  }

  async function* pace(read: ReadParts, abort: () => void): AsyncGenerator<Buffer> {
    let isWaiting = false;
    const idle = setTimeout(() => (isWaiting ? void idle.refresh() : abort()), idleSeconds * 1000);
    const setWaiting = (value: boolean) => {
      isWaiting = value;
      idle.refresh();
    };
    try {
      for await (const part of read(setWaiting)) {
        yield part;
        idle.refresh();
      }
    } finally {
      clearTimeout(idle);
    }
  }

  /**
   * Returns a stream when the export, or its first few hundred kilobytes, are written; earlier errors are thrown. Throws
   * RateLimitedError for too many exports of the caller, UnavailableError after a timeout. `closed`: the client has disconnected.
   */
  async function run(caller: string, work: WriteExport, closed: AbortSignal): Promise<Readable> {
    const release = acquire(caller);
    const stop = new AbortController();
    const abort = () => stop.abort(new UnavailableError());
    const deadline = setTimeout(abort, totalSeconds * 1000);
    closed.addEventListener('abort', abort);
    if (closed.aborted) abort();

    const spool = createSpool(folder, { ...(fileBytes !== undefined && { fileBytes }) });
    const write = (text: string) => {
      stop.signal.throwIfAborted();
      return spool.write(text);
    };
    const written = queue
      .run(
        caller,
        () => work(write),
        () => stop.signal,
      )
      .then(spool.end, spool.fail);
    const finish = async () => {
      clearTimeout(deadline);
      closed.removeEventListener('abort', abort);
      release();
      abort();
      spool.fail(stop.signal.reason); // the writer may be waiting for the reader
      await written;
      await spool.close();
    };

    try {
      await spool.ready();
    } catch (error) {
      await finish();
      throw error;
    }
    const stream = Readable.from(pace(spool.read, abort), { objectMode: false, highWaterMark: partBytes });
    stop.signal.addEventListener('abort', () => stream.destroy(new UnavailableError()));
    stream.once('error', (error) => logger.warn({ err: error }, 'export aborted'));
    stream.once('close', () => void finish());
    return stream;
  }

  /** Sends stored data, without the queue and the spool. It counts as an export of the caller. */
  function send(caller: string, source: AsyncIterable<Buffer>, closed: AbortSignal): Readable {
    const release = acquire(caller);
    const abort = () => void stream.destroy(new UnavailableError());
    const read = () => inParts(source);
    const stream: Readable = Readable.from(pace(read, abort), { objectMode: false, highWaterMark: partBytes });
    closed.addEventListener('abort', abort);
    if (closed.aborted) abort();
    stream.once('error', (error) => logger.warn({ err: error }, 'export aborted'));
    stream.once('close', () => {
      closed.removeEventListener('abort', abort);
      release();
    });
    return stream;
  }

  return { run, send, callers: () => open.size };
}

async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of source)
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}
