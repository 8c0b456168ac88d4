import type { FieldDef } from 'pg';
import type { Query } from './statement.ts';

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
