import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows } from '../../src/db/row-stream.ts';
import { sql, t } from '../../src/db/sql/sql.ts';
import { type Query, query } from '../../src/db/sql/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 3 });
});
afterAll(() => db.drop());

type Row = { i: number };
const columns = { i: t.integer };
const numbers = query(
  'test_numbers',
  columns,
  (last: number, except: number) =>
    sql`SELECT i FROM generate_series(1, ${t.integer(last)}) i WHERE i <> ${t.integer(except)}`,
);
const unknownColumn = query('test_unknown_column', columns, () => sql`SELECT nothing AS i`);
const division = query('test_division', columns, () => sql`SELECT 1 / (900 - i) AS i FROM generate_series(1, 1000) i`);
const text = query('test_wrong_column', columns, () => sql`SELECT 'text' AS i`);

async function readAll(rowsOf: Query<Row>): Promise<Row[]> {
  const all: Row[] = [];
  await readRows(db.database, rowsOf, async (rows) => void all.push(...rows));
  return all;
}

test('reads every row once and in order, with parameters', async () => {
  const rows = await readAll(numbers(5000, 7));
  expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1).filter((i) => i !== 7));
});

test('reads an empty result', async () => {
  expect(await readAll(numbers(0, 0))).toEqual([]);
});

test('throws errors at the start and in the middle, also for a column of the wrong type', async () => {
  await expect(readAll(unknownColumn())).rejects.toThrow('nothing');
  await expect(readAll(division())).rejects.toThrow('division by zero');
  await expect(readAll(text())).rejects.toThrow('declared is integer');
});

test('a consumer that throws ends the transaction', async () => {
  const stop = async () => {
    throw new Error('enough');
  };
  for (let i = 0; i < 8; i += 1) await expect(readRows(db.database, numbers(2000, 0), stop)).rejects.toThrow('enough');
  expect(db.database.pool().used).toBe(0);
});

test('more concurrent reads than connections all complete', async () => {
  const lists = await Promise.all(Array.from({ length: 8 }, () => readAll(numbers(2000, 0))));
  expect(lists.map((list) => list.length)).toEqual(Array(8).fill(2000));
});
