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
type Column<Out> = {
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
type ToParameter<In> = (value: In) => Parameter;
type PgType<Out, In> = Column<Out> & ToParameter<In> & { readonly orNull: Column<Out | null> & ToParameter<In> };

function column<Out>(type: string, oids: readonly number[], values?: readonly Out[]): ColumnType<Out> {
  const shape = { type, oids, ...(values && { values }) };
  return { ...shape, isNullable: false, orNull: { ...shape, isNullable: true } };
}

function withParameter<Out, In extends Value>({ orNull, ...shape }: ColumnType<Out>): PgType<Out, In> {
  const parameter = () => (value: In) => new Parameter(shape.type, value);
  return Object.assign(parameter(), shape, { orNull: Object.assign(parameter(), orNull) });
}

function pgType<Out, In extends Value = Out & Value>(type: string, ...oids: number[]): PgType<Out, In | null> {
  return withParameter(column<Out>(type, oids));
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
  oneOf: <const Out extends string>(values: readonly Out[]): PgType<Out, Out | null> =>
    withParameter(column('text', [25, 1043], values)),
} as const;

export type Interpolation = Sql | Parameter;

/** SQL text with its parameters, created by the `sql` template only, so that input never becomes SQL. */
export class Sql {
  readonly strings: readonly string[];
  readonly interpolations: readonly Interpolation[];

  constructor(strings: readonly string[], interpolations: readonly Interpolation[]) {
    this.strings = strings;
    this.interpolations = interpolations;
  }
}

/** `${t.bigint(id)}` becomes a typed parameter, another `sql` its text. Nothing else can be interpolated. */
export function sql(strings: TemplateStringsArray, ...interpolations: Interpolation[]): Sql {
  return new Sql(strings, interpolations);
}

const emptyStrings: (readonly string[])[] = [];

export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const interpolations = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
  const { length } = interpolations;
  // One array per length: statements are cached by the identity of these arrays, as of those of templates.
  emptyStrings[length] ??= Array.from({ length: length + 1 }, () => '');
  return new Sql(emptyStrings[length], interpolations);
}

export const empty = sql``;

/** A parameter that is interpolated twice is sent once. */
export function compile(root: Sql): { text: string; parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [];
  let text = '';
  function append({ strings, interpolations }: Sql): void {
    for (const [index, part] of strings.entries()) {
      text += part;
      const next = interpolations[index];
      if (next instanceof Sql) append(next);
      else if (next !== undefined) text += `$${positionOf(next)}::${next.type}`;
    }
  }
  function positionOf(parameter: Parameter): number {
    const known = parameters.indexOf(parameter);
    return known === -1 ? parameters.push(parameter) : known + 1;
  }
  append(root);
  return { text, parameters };
}

/** A fragment without parameters, compiled once: composing a statement per request then takes one part, not one per column. */
export function constant(fragment: Sql): Sql {
  const { text, parameters } = compile(fragment);
  if (parameters.length > 0) throw new Error('a constant SQL fragment has no parameters');
  return new Sql([text], []);
}

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

type Nullable<Shape extends Columns> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Column<infer Out> ? Column<Out | null> : never;
};

export function leftJoined<Shape extends Columns>(columns: Shape): Nullable<Shape> {
  const nullable = Object.entries(columns).map(([name, column]) => [name, { ...column, isNullable: true }]);
  return Object.fromEntries(nullable) as Nullable<Shape>; // the same names
}

export function matched<Shape extends Columns>(columns: Shape, row: RowOf<Nullable<Shape>>): RowOf<Shape> | undefined {
  for (const name in columns)
    if (!columns[name]?.isNullable) return row[name] === null ? undefined : (row as RowOf<Shape>);
  throw new Error('a left join needs a column that is never null');
}
