import { Readable } from 'node:stream';
import { RateLimitedError, UnavailableError } from '../../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import type { Logger } from '../log/logger.ts';
import { createSpool } from './spool.ts';

/** Writes a file's text from its start to its end. `write` throws once nobody wants the rest. */
export type WriteExport = (write: (text: string) => Promise<void>) => Promise<void>;

export type ExporterOptions = {
  /** Where what does not fit into memory lies while it is sent; nobody else can read it. */
  folder: string;
  logger: Logger;
  /** Seconds that a client may take nothing, and that the whole may take. */
  idleSeconds?: number;
  totalSeconds?: number;
};

export type Exporter = ReturnType<typeof createExporter>;

const openPerCaller = 3;
/** What a client takes at once counts as its progress. */
const partBytes = 65_536;

type ReadParts = (setWaiting: (isWaiting: boolean) => void) => AsyncIterable<Buffer>;

/**
 * Exports without holding a connection for as long as a client takes to read: rows are written at full speed, in turns
 * that are fair between callers, and are sent from memory or disk at the client's pace.
 */
export function createExporter({ folder, logger, idleSeconds = 30, totalSeconds = 600 }: ExporterOptions) {
  const queue = createFairQueue({ slots: 3, perCaller: 1, waitingPerCaller: 2, waitSeconds: 10 });
  /** Exports of each caller that wait, are written or are sent. */
  const open = new Map<string, number>();

  function occupy(caller: string): () => void {
    const count = open.get(caller) ?? 0;
    if (count >= openPerCaller) throw new RateLimitedError(10, 'too_many_at_once');
    open.set(caller, count + 1);
    return () => {
      const left = (open.get(caller) ?? 1) - 1;
      if (left === 0) open.delete(caller);
      else open.set(caller, left);
    };
  }

  /** A client that takes nothing for too long is cut off. */
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
   * The export as a stream, as soon as all of it or some hundred kilobytes are written: whatever fails before is thrown.
   * Throws RateLimitedError when the caller has too many, UnavailableError when it does not get its turn in time.
   * `closed` is aborted when the client goes away.
   */
  async function run(caller: string, work: WriteExport, closed: AbortSignal): Promise<Readable> {
    const leave = occupy(caller);
    const stop = new AbortController();
    const abort = () => stop.abort(new UnavailableError());
    const deadline = setTimeout(abort, totalSeconds * 1000);
    closed.addEventListener('abort', abort);
    if (closed.aborted) abort();

    const spool = createSpool(folder);
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
      leave();
      abort();
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

  /** What is stored already, at the client's pace: it counts as an export of the caller, and needs neither a turn nor a spool. */
  function send(caller: string, source: AsyncIterable<Buffer>, closed: AbortSignal): Readable {
    const leave = occupy(caller);
    const abort = () => void stream.destroy(new UnavailableError());
    const read = () => inParts(source);
    const stream: Readable = Readable.from(pace(read, abort), { objectMode: false, highWaterMark: partBytes });
    closed.addEventListener('abort', abort);
    if (closed.aborted) abort();
    stream.once('error', (error) => logger.warn({ err: error }, 'export aborted'));
    stream.once('close', () => {
      closed.removeEventListener('abort', abort);
      leave();
    });
    return stream;
  }

  return { run, send, /** Callers with an export that is not finished. */ callers: () => open.size };
}

async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of source)
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}
