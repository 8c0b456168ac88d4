import pg from 'pg';

/** Runs a statement and returns its rows. */
export type RunSql = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export type PlainSql = {
  query: RunSql;
  /** Runs the work in one transaction, which is committed unless it throws. */
  transaction<Result>(work: (query: RunSql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** The tests' own SQL connections, independent of the application's pool. */
export function openPlainSql(url: string): PlainSql {
  const pool = new pg.Pool({ connectionString: url, max: 5, options: '-c TimeZone=UTC' });
  pool.on('error', () => undefined); // some tests cut idle connections
  const runOn =
    (client: Pick<pg.Pool, 'query'>): RunSql =>
    async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[];
  return {
    query: runOn(pool),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(runOn(client));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    close: () => pool.end(),
  };
}
