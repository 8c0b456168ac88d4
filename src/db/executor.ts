import type { Knex } from 'knex';
import pg from 'pg';
import { translateDatabaseError, wasCancelledByAnother } from './errors.ts';
import type { Value } from './sql/sql.ts';
import { type Command, checkRows, type Query, type Statement } from './sql/statement.ts';

// bigint and numeric as numbers (ids and hours stay far below 2^53), timestamps in the API's format, dates as text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// @ts-expect-error bigint[] is missing from the types
pg.types.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
pg.types.setTypeParser(1184, timestampFrom);
pg.types.setTypeParser(1082, (text) => text);

export type Executor = {
  many<Row>(query: Query<Row>): Promise<Row[]>;
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>;
  one<Row>(query: Query<Row>): Promise<Row>;
  execute(command: Command): Promise<number>;
  /**
   * A Knex query builder, for statements on one table. `statement` is the name of the prepared statement; without it, the text may
   * vary, and is planned each time.
   */
  table<Name extends Knex.TableNames>(table: Name, statement?: string): TableQuery<Name>;
  readonly knex: Knex;
};

export type ExecutorOptions = {
  /** False behind a pooler that does not support prepared statements. */
  prepare: boolean;
  check: boolean;
  /** Outside a transaction: a cancelled statement has changed nothing, and runs once more. */
  repeatsCancelled?: boolean;
};

/** Converts `2026-11-22 08:19:21.5+00` without parsing a date, which took a tenth of a list's time. */
function timestampFrom(text: string): string {
  const { length } = text;
  if (length < 22 || length > 29 || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString();
  const milliseconds = text.slice(20, Math.min(23, length - 3)).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

/** pg escapes each element of an array, which numbers do not need. */
function asParameter(value: Value): Value {
  const isNumbers = Array.isArray(value) && value.every((element) => typeof element === 'number');
  return isNumbers ? `{${value.join()}}` : value;
}

function tableOf<Name extends Knex.TableNames>(knex: Knex, name: Name) {
  return knex(name);
}

export type Row<Name extends Knex.TableNames> = Knex.ResolveTableType<Knex.TableType<Name>>;
/** A list of columns: `['id', 'name'] as const satisfies Columns<'projects'>`. Knex accepts unknown names. */
export type Columns<Name extends Knex.TableNames> = readonly (keyof Row<Name>)[];
type TableQuery<Name extends Knex.TableNames> = ReturnType<typeof tableOf<Name>>;

/**
 * Knex puts the SQL before PostgreSQL's message, and the frames are those of the driver: readers of the log look for the message,
 * the name of the statement and its caller.
 */
function describeFailure(error: unknown, statement: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const [, message = error.message] = /^\w+: (.*?)(?:\n {4}at |$)/s.exec(error.stack ?? '') ?? [];
  Object.assign(error, { message, ...(statement !== '' && { statement }) });
  Error.captureStackTrace(error, describeFailure);
  return error;
}

/** When the query is awaited. Knex has no hook that changes an error. */
function translateErrorsOf(query: PromiseLike<unknown>, statement: string): void {
  const run = query.then.bind(query);
  const translated = () =>
    run().then(undefined, (error: unknown) => {
      throw translateDatabaseError(describeFailure(error, statement));
    });
  // biome-ignore lint/suspicious/noThenProperty: it is a promise-like object
  query.then = (onFulfilled, onRejected) => translated().then(onFulfilled, onRejected);
}

/** The row of each input of a statement over `unnest(…) WITH ORDINALITY`; undefined for those without one. */
export function byPosition<Row extends { position: number }>(
  inputs: readonly unknown[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [row.position, row]));
  return inputs.map((_, index) => found.get(index + 1));
}

/** For statements that always return one row. */
export function only<Row>(rows: readonly Row[], statement = 'a statement'): Row {
  const [row, ...more] = rows;
  if (row === undefined || more.length > 0)
    throw new Error(`${statement} returned ${row === undefined ? 'no row' : 'several rows'} instead of one`);
  return row;
}

/** `connection` is called for every statement and may throw. */
export function createExecutor(connection: () => Knex, options: ExecutorOptions): Executor {
  const { prepare, check, repeatsCancelled = false } = options;
  const preparedAs = (name: string) => (prepare && name !== '' ? { name } : {});

  async function run({ prepared, text, parameters }: Statement): Promise<pg.QueryResult> {
    const values = parameters.map(({ value }) => asParameter(value));
    const send = async () =>
      connection()
        .raw<pg.QueryResult>(text.replaceAll('?', '\\?')) // no placeholders: the parameters are $1, $2 …
        .options({ ...preparedAs(prepared), values });
    try {
      return await send().catch((error: unknown) => {
        if (repeatsCancelled && wasCancelledByAnother(error)) return send();
        throw error;
      });
    } catch (error) {
      throw translateDatabaseError(describeFailure(error, prepared));
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
    one: async (query) => only(await many(query), query.prepared),
    execute: async (command) => (await run(command)).rowCount ?? 0,
    table(name, statement = '') {
      const query = tableOf(connection(), name).options(preparedAs(statement));
      translateErrorsOf(query, statement);
      return query;
    },
    get knex() {
      return connection();
    },
  };
}
