import { once } from 'node:events';
import type { Knex } from 'knex';
import pg from 'pg';
import { isReadOnlyServer, translateDatabaseError } from './errors.ts';
import { checkRows } from './sql/check-rows.ts';
import type { Command, Query, Statement } from './sql/statement.ts';
import type { Value } from './sql/types.ts';

// bigint and numeric as numbers (ids and hours stay far below 2^53), timestamps as the interface writes them, dates as text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// @ts-expect-error the list of known types leaves bigint[] out
pg.types.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
pg.types.setTypeParser(1184, timestampFrom);
pg.types.setTypeParser(1082, (text) => text);

/** Runs statements: on the pool, or on the one connection of a transaction. Throws AppError for errors that have a meaning. */
export type Executor = {
  many<Row>(query: Query<Row>): Promise<Row[]>;
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>;
  one<Row>(query: Query<Row>): Promise<Row>;
  execute(command: Command): Promise<number>;
  /** The query builder on the same connection, for writes whose columns vary. */
  readonly knex: Knex;
};

export type ExecutorOptions = {
  /** Prepared statements have names on the server. A pooler may hand each one to another connection, which knows none. */
  prepare: boolean;
  check: boolean;
};

/**
 * `2026-11-22 08:19:21.5+00` as `2026-11-22T08:19:21.500Z`. A list has two of these in each row, and parsing them as dates
 * took a tenth of its time; what has another form (years beyond 9999, BC, infinity) is parsed.
 */
function timestampFrom(text: string): string {
  const { length } = text;
  if (length < 22 || length > 29 || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString();
  const milliseconds = text.slice(20, Math.min(23, length - 3)).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

/** Of Knex's client what runs a statement: its `raw` costs a third more per request than the statement itself. */
type KnexClient = {
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
};

/** pg looks for what is to be escaped in each element of an array; numbers hold none of it. */
function asParameter(value: Value): Value {
  const isNumbers = Array.isArray(value) && value.every((element) => typeof element === 'number');
  return isNumbers ? `{${value.join()}}` : value;
}

/** The pool discards a connection that has ended. */
async function disconnect({ connection }: pg.Client): Promise<void> {
  const ended = once(connection.stream, 'close');
  connection.stream.destroy();
  await ended;
}

/** `connection` is called for every statement, and may throw when it must not be used. */
export function createExecutor(connection: () => Knex, { prepare, check }: ExecutorOptions): Executor {
  async function run({ prepared, text, parameters }: Statement): Promise<pg.QueryResult> {
    const values = parameters.map(({ value }) => asParameter(value));
    const client = connection().client as KnexClient; // Knex does not type it
    try {
      const pgClient = await client.acquireConnection();
      try {
        return await pgClient.query({ name: prepare ? prepared : '', text, values });
      } catch (error) {
        if (isReadOnlyServer(error)) await disconnect(pgClient);
        throw error;
      } finally {
        await client.releaseConnection(pgClient);
      }
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async function many<Row>(query: Query<Row>): Promise<Row[]> {
    const { rows, fields } = await run(query);
    if (check) checkRows(query, fields, rows);
    return rows as Row[]; // as the statement declares them, which tests check
  }

  return {
    many,
    async maybeOne(query) {
      const rows = await many(query);
      if (rows.length > 1) throw new Error(`${query.prepared} returned ${rows.length} rows instead of one`);
      return rows[0];
    },
    async one(query) {
      const [row, ...more] = await many(query);
      if (row === undefined || more.length > 0)
        throw new Error(`${query.prepared} returned ${row === undefined ? 'no row' : 'several rows'} instead of one`);
      return row;
    },
    execute: async (command) => (await run(command)).rowCount ?? 0,
    get knex() {
      return connection();
    },
  };
}
