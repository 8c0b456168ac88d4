export type Value = string | number | boolean | null | Date | Buffer | readonly (string | number | null)[];

/** A value and the PostgreSQL type it is cast to. */
export class Parameter {
  readonly type: string;
  readonly value: Value;

  constructor(type: string, value: Value) {
    this.type = type;
    this.value = value;
  }
}

/** A declared column. Outside production every result is compared with it. */
export type Column<Out> = {
  readonly type: string;
  readonly oids: readonly number[];
  readonly isNullable: boolean;
  readonly values?: readonly Out[];
};

export type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<Shape extends Columns> = {
  [Name in keyof Shape]: Shape[Name] extends Column<infer Out> ? Out : never;
};

type ColumnType<Out> = Column<Out> & { readonly orNull: Column<Out | null> };
type PgType<Out, In> = ColumnType<Out> & ((value: In) => Parameter);

function column<Out>(type: string, oids: readonly number[], values?: readonly Out[]): ColumnType<Out> {
  const shape = { type, oids, ...(values && { values }) };
  return { ...shape, isNullable: false, orNull: { ...shape, isNullable: true } };
}

function pgType<Out, In extends Value = Out & Value>(type: string, ...oids: number[]): PgType<Out, In | null> {
  return Object.assign((value: In | null) => new Parameter(type, value), column<Out>(type, oids));
}

/** PostgreSQL's types, as parameters (`t.bigint(id)`) and as columns of a result (`{ id: t.bigint }`). */
export const t = {
  bigint: pgType<number>('bigint', 20),
  integer: pgType<number>('integer', 23, 21),
  numeric: pgType<number>('numeric', 1700),
  text: pgType<string>('text', 25, 1043),
  uuid: pgType<string>('uuid', 2950),
  boolean: pgType<boolean>('boolean', 16),
  timestamptz: pgType<string, string | Date>('timestamptz', 1184),
  date: pgType<string>('date', 1082),
  bytea: pgType<Buffer>('bytea', 17),
  /** A transaction id, as text because it may exceed 2^53. */
  xid8: pgType<string>('xid8', 5069),
  interval: pgType<string>('interval', 1186),
  inet: pgType<string>('inet', 869),
  bigints: pgType<number[], readonly (number | null)[]>('bigint[]', 1016),
  integers: pgType<number[], readonly (number | null)[]>('integer[]', 1007),
  texts: pgType<string[], readonly (string | null)[]>('text[]', 1009),
  uuids: pgType<string[], readonly (string | null)[]>('uuid[]', 2951),
  timestamptzs: pgType<string[], readonly string[]>('timestamptz[]', 1185),
  /** A column: `t.json<Change[]>()`. For parameters, which take JSON text, see `jsonb`. */
  json: <Out>(): ColumnType<Out> => column<Out>('jsonb', [114, 3802]),
  jsonb: (value: string | null): Parameter => new Parameter('jsonb', value),
  oneOf: <const Out extends string>(values: readonly Out[]): ColumnType<Out> => column<Out>('text', [25, 1043], values),
} as const;
