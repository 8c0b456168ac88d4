import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSemaphore } from '../lib/semaphore.ts';
import { type Database, type Executor, sql, type Value } from './database.ts';

// Few at a time: each holds a connection for as long as its reader takes, and readers can be slow on purpose.
const slots = createSemaphore(2);
const patience = 10_000; // below the time that a transaction may lie idle

// Small parts: whoever reads some ten kilobytes a second is not taken to stand still.
const fetchRows = sql('FETCH 100 FROM stream_rows');

/**
 * The rows of a query as a stream of objects, of one snapshot, in constant memory however many there are. `text` is
 * PostgreSQL's own, with `$1 …`. A reader who takes nothing for ten seconds is cut off, so that he holds up nobody else.
 */
export function streamRows<Row>(database: Database, text: string, values: readonly Value[] = []): Readable {
  const output = new PassThrough({ objectMode: true });
  slots
    .run(() => database.transaction((tx) => pipeline(fetchAll<Row>(tx, text, values, output), output)))
    .catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

async function* fetchAll<Row>(db: Executor, text: string, values: readonly Value[], output: PassThrough) {
  const watch = setTimeout(() => output.destroy(new Error('the reader of a row stream stands still')), patience);
  try {
    // Without a name: the text differs from call to call, and a named statement would stay with the connection.
    await db.rows({ name: '', text: `DECLARE stream_rows NO SCROLL CURSOR FOR ${text}` }, values);
    for (;;) {
      const rows = await db.rows<Row>(fetchRows);
      if (rows.length === 0) return;
      watch.refresh();
      yield* rows;
    }
  } finally {
    clearTimeout(watch);
  }
}
