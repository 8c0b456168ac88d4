import { expect, test } from 'vitest';
import { columnNames, columnValues, compile, selectList, sql, t } from '../../src/db/sql/sql.ts';
import { command } from '../../src/db/sql/statement.ts';

const types = { name: t.text, due_date: t.date };
const write = (row: { name: string; due_date: string | null }) => sql`
  UPDATE projects p SET (${columnNames(types)}) = ROW(${columnValues(types, row)})
  RETURNING ${selectList({ id: t.bigint, hours: t.numeric }, sql`p`, { hours: sql`p.seconds / 3600` })}`;

test('column lists consist of the names in the source', () => {
  const { text, parameters } = compile(write({ name: 'Rings', due_date: null }));
  expect(text.replace(/\s+/g, ' ').trim()).toBe(
    'UPDATE projects p SET (name, due_date) = ROW($1::text, $2::date) RETURNING p.id, p.seconds / 3600 AS hours',
  );
  expect(parameters.map(({ value }) => value)).toEqual(['Rings', null]);
});

test('a statement with column lists is prepared once', () => {
  const statement = command('statement_of_column_lists', write);
  const prepared = ['One', 'Two', 'Three'].map((name) => statement({ name, due_date: '2026-01-01' }).prepared);
  expect(new Set(prepared)).toEqual(new Set(['statement_of_column_lists']));
});
