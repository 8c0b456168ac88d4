import type { FieldDef } from 'pg';
import { type Columns, compile, type Parameter, type RowOf, Sql } from './sql.ts';

export type Statement = {
  readonly prepared: string;
  /** Begins with the name in a comment, for pg_stat_statements and the server's log. */
  readonly text: string;
  readonly parameters: readonly Parameter[];
};

export type Query<Row> = Statement & { readonly columns: Columns; readonly row?: Row };
export type Command = Statement;

type Prepared = Pick<Statement, 'prepared' | 'text'>;

/** A trie over the identities of templates and the types of parameters: the text of the same path is composed only once. */
class Path {
  readonly next = new Map<unknown, Path>();
  prepared: Prepared | undefined;

  to(part: unknown): Path {
    const known = this.next.get(part);
    if (known !== undefined) return known;
    const path = new Path();
    this.next.set(part, path);
    return path;
  }
}

const variants = new Map<string, number>();

/** A statement that returns rows. `build` may vary the text, but only within a finite number of variants. */
export function query<Shape extends Columns, Args extends unknown[]>(
  name: string,
  columns: Shape,
  build: (...args: Args) => Sql,
): (...args: Args) => Query<RowOf<Shape>> {
  const start = register(name);
  return (...args) => {
    const { prepared, text, parameters } = prepare(name, start, build(...args));
    return { prepared, text, parameters, columns };
  };
}

export function command<Args extends unknown[]>(
  name: string,
  build: (...args: Args) => Sql,
): (...args: Args) => Command {
  const start = register(name);
  return (...args) => prepare(name, start, build(...args));
}

function register(name: string): Path {
  if (variants.has(name)) throw new Error(`two statements are named ${name}`);
  variants.set(name, 0);
  return new Path();
}

function prepare(name: string, start: Path, sql: Sql): Statement {
  const parameters: Parameter[] = [];
  const end = follow(start, sql, parameters);
  end.prepared ??= addVariant(name, compile(sql).text);
  const { prepared, text } = end.prepared;
  return { prepared, text, parameters };
}

/** Numbers the parameters as `compile` does. */
function follow(start: Path, { strings, interpolations }: Sql, parameters: Parameter[]): Path {
  let path = start.to(strings);
  for (const part of interpolations) {
    if (part instanceof Sql) {
      path = follow(path, part, parameters);
      continue;
    }
    const known = parameters.indexOf(part);
    if (known === -1) parameters.push(part);
    path = path.to(known === -1 ? part.type : known);
  }
  return path;
}

function addVariant(name: string, text: string): Prepared {
  const variant = (variants.get(name) ?? 0) + 1;
  variants.set(name, variant);
  return { prepared: variant === 1 ? name : `${name}_${variant}`, text: `/* ${name} */ ${text}` };
}

export function checkRows(query: Query<unknown>, fields: readonly FieldDef[], rows: readonly object[]): void {
  const { columns, prepared } = query;
  const fail = (what: string) => {
    throw new Error(`statement ${prepared}: ${what}`);
  };
  const names = fields.map((field) => field.name);
  const missing = Object.keys(columns).filter((name) => !names.includes(name));
  if (missing.length > 0) fail(`does not return ${missing.join(', ')}`);
  for (const { name, dataTypeID } of fields) {
    const column = columns[name];
    if (column === undefined) {
      fail(`returns ${name}, which is not declared`);
      continue;
    }
    if (!column.oids.includes(dataTypeID)) fail(`${name} has type ${dataTypeID}, declared is ${column.type}`);
    const values = new Set(rows.map((row) => (row as Record<string, unknown>)[name]));
    if (values.has(null) && !column.isNullable) fail(`${name} is null`);
    values.delete(null);
    const allowed = column.values;
    const others = allowed === undefined ? [] : [...values].filter((value) => !allowed.includes(value));
    if (others.length > 0) fail(`${name} is ${String(others[0])}, which is not declared`);
  }
}
