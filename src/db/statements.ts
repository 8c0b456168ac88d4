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
