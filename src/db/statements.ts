import type { Executor } from './executor.ts';
import type { Columns, RowOf, Sql } from './sql/sql.ts';
import { command, query } from './sql/statement.ts';

// A statement that a repository exports: its name, its columns and its text in one declaration, as a function whose first argument is
// the connection or the transaction that runs it.

type Build<Args extends unknown[]> = (...args: Args) => Sql;
type Run<Args extends unknown[], Result> = (db: Executor, ...args: Args) => Promise<Result>;

/** All rows. */
export function many<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, RowOf<Shape>[]> {
  const statement = query(name, columns, build);
  return (db, ...args) => db.many(statement(...args));
}

/** One row or none. */
export function maybeOne<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, RowOf<Shape> | undefined> {
  const statement = query(name, columns, build);
  return (db, ...args) => db.maybeOne(statement(...args));
}

/** The only row. */
export function one<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, RowOf<Shape>> {
  const statement = query(name, columns, build);
  return (db, ...args) => db.one(statement(...args));
}

/** The number of rows that were written. */
export function execute<Args extends unknown[]>(name: string, build: Build<Args>): Run<Args, number> {
  const statement = command(name, build);
  return (db, ...args) => db.execute(statement(...args));
}

/** Whether a row was written. */
export function changes<Args extends unknown[]>(name: string, build: Build<Args>): Run<Args, boolean> {
  const statement = command(name, build);
  return async (db, ...args) => (await db.execute(statement(...args))) > 0;
}

/** Whether there is a row. */
export function exists<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, boolean> {
  const statement = query(name, columns, build);
  return async (db, ...args) => (await db.maybeOne(statement(...args))) !== undefined;
}

// The following have one column, and return its value instead of a row.

type Value<Shape extends Columns> = RowOf<Shape>[keyof Shape];

/** Of all rows. */
export function values<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, Value<Shape>[]> {
  const [statement, read] = [query(name, columns, build), reader(columns)];
  return async (db, ...args) => (await db.many(statement(...args))).map(read);
}

/** Of one row or none. */
export function maybeValue<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, Value<Shape> | undefined> {
  const [statement, read] = [query(name, columns, build), reader(columns)];
  return async (db, ...args) => {
    const row = await db.maybeOne(statement(...args));
    return row && read(row);
  };
}

/** Of the only row. */
export function value<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: Build<Args>,
): Run<Args, Value<Shape>> {
  const [statement, read] = [query(name, columns, build), reader(columns)];
  return async (db, ...args) => read(await db.one(statement(...args)));
}

function reader<Shape extends Columns>(columns: Shape) {
  const [name] = Object.keys(columns) as [keyof Shape];
  return (row: RowOf<Shape>): Value<Shape> => row[name];
}
