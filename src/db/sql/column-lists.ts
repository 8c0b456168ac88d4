import { join, Sql, sql } from './sql.ts';
import type { Parameter } from './types.ts';

/** The types of the parameters of a row that is written, by its columns. */
export type ParameterTypes<Row> = { readonly [Name in keyof Row]: (value: Row[Name]) => Parameter };

/** One piece for each name: the identity of a piece stands for its text when statements are composed. */
const pieces = new Map<string, Sql>();

function identifier(name: string): Sql {
  const piece = pieces.get(name) ?? new Sql([name], []);
  pieces.set(name, piece);
  return piece;
}

/** SQL: identifiers from a record of the source code, never from outside. */
const identifiers = (record: object): Sql[] => Object.keys(record).map(identifier);

/** SQL: a select list of the columns of `table`, with the given expressions for those that it does not have. */
export function selectList(columns: object, table: Sql, expressions: Readonly<Record<string, Sql>> = {}): Sql {
  const listed = identifiers(columns).map((name) => {
    const expression = expressions[name.strings.join('')];
    return expression === undefined ? sql`${table}.${name}` : sql`${expression} AS ${name}`;
  });
  return join(listed, sql`, `);
}

/** SQL: a select list of the expressions under these names. */
export function namedList(expressions: Readonly<Record<string, Sql>>): Sql {
  const listed = Object.entries(expressions).map(([name, expression]) => sql`${expression} AS ${identifier(name)}`);
  return join(listed, sql`, `);
}

/** SQL: the columns of a row that is written. */
export function columnNames(types: object): Sql {
  return join(identifiers(types), sql`, `);
}

/** SQL: its values, in the same order. */
export function columnValues<Row>(types: ParameterTypes<Row>, row: Row): Sql {
  const names = Object.keys(types) as (keyof Row)[]; // those of the type
  return join(
    names.map((name) => sql`${types[name](row[name])}`),
    sql`, `,
  );
}
