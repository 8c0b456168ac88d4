import type { Column, Columns, RowOf } from './types.ts';

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
