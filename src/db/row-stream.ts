import { type Database, sql, type Value } from './database.ts';

/** A query in PostgreSQL's own text, with `$1 …`. */
export type RowQuery = { text: string; values?: readonly Value[] };

/** Takes some rows at a time, and returns when it is ready for more. */
export type TakeRows<Row> = (rows: readonly Row[]) => Promise<void>;

const fetchRows = sql('FETCH 200 FROM stream_rows');

/**
 * Hands over the rows of a query, of one snapshot, in constant memory however many there are. It holds a connection until
 * it returns, so `take` must not wait for a client.
 */
export async function readRows<Row>(
  database: Database,
  { text, values = [] }: RowQuery,
  take: TakeRows<Row>,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Without a name: the text differs from call to call, and a named statement would stay with the connection.
    await tx.rows({ name: '', text: `DECLARE stream_rows NO SCROLL CURSOR FOR ${text}` }, values);
    for (;;) {
      const rows = await tx.rows<Row>(fetchRows);
      if (rows.length === 0) return;
      await take(rows);
    }
  });
}
