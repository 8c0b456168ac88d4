import type { Database } from './database.ts';
import type { Executor } from './executor.ts';
import type { Query } from './sql/statement.ts';

export type TakeRows<Row> = (rows: readonly Row[]) => Promise<void>;
export type KeepRows<Row> = (db: Executor, rows: readonly Row[]) => Promise<readonly Row[]>;

/**
 * Reads one snapshot in constant memory. It holds a connection, so `take` must not wait for an HTTP client. `keep` chooses from rows by
 * what has been committed since then.
 */
export async function readRows<Row>(
  database: Pick<Database, 'transaction'>,
  query: Query<Row>,
  take: TakeRows<Row>,
  keep: KeepRows<Row> = async (_db, rows) => rows,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Not prepared: such statements would stay with the connection.
    const text = `DECLARE stream_rows NO SCROLL CURSOR FOR ${query.text}`;
    await tx.execute({ prepared: '', text, parameters: query.parameters });
    const fetch = { prepared: '', text: 'FETCH 200 FROM stream_rows', parameters: [], columns: query.columns };
    for (;;) {
      const rows = await tx.many<Row>(fetch);
      if (rows.length === 0) return;
      await take(await keep(tx, rows));
    }
  });
}

export type UnpagedRows<Row> = {
  list: (limit: number) => Promise<readonly Row[]>;
  export: (take: TakeRows<Row>) => Promise<void>;
};

/** `select` gets null for all rows. */
export const unpagedRows = <Row>(
  database: Pick<Database, 'many' | 'transaction'>,
  select: (limit: number | null) => Query<Row>,
): UnpagedRows<Row> => ({
  list: (limit) => database.many(select(limit)),
  export: (take) => readRows(database, select(null), take),
});
