import { join, Sql, sql } from './sql.ts';
import type { Parameter } from './types.ts';

export type ParameterTypes<Row> = {
  readonly [Name in keyof Row]: ((value: Row[Name]) => Parameter) & { readonly type: string };
};

/** One piece per name, because composed statements are cached by the identity of their pieces. */
const pieces = new Map<string, Sql>();

function identifier(name: string): Sql {
  const piece = pieces.get(name) ?? new Sql([name], []);
  pieces.set(name, piece);
  return piece;
}

const identifiers = (record: object): Sql[] => Object.keys(record).map(identifier);

/** The columns of `table`, with the given expressions for computed ones. */
export function selectList(columns: object, table: Sql, expressions: Readonly<Record<string, Sql>> = {}): Sql {
  const listed = identifiers(columns).map((name) => {
    const expression = expressions[name.strings.join('')];
    return expression === undefined ? sql`${table}.${name}` : sql`${expression} AS ${name}`;
  });
  return join(listed, sql`, `);
}

export function namedList(expressions: Readonly<Record<string, Sql>>): Sql {
  const listed = Object.entries(expressions).map(([name, expression]) => sql`${expression} AS ${identifier(name)}`);
  return join(listed, sql`, `);
}

export function columnNames(types: object): Sql {
  return join(identifiers(types), sql`, `);
}

export function columnValues<Row>(types: ParameterTypes<Row>, row: Row): Sql {
  const names = Object.keys(types) as (keyof Row)[]; // those of the type
  return join(
    names.map((name) => sql`${types[name](row[name])}`),
    sql`, `,
  );
}

/** For `jsonb_to_recordset`: `user_id bigint, name text`. */
export function columnDefinitions<Row>(types: ParameterTypes<Row>): Sql {
  const names = Object.keys(types) as (keyof Row & string)[]; // those of the type
  return new Sql([names.map((name) => `${name} ${types[name].type}`).join(', ')], []);
}
