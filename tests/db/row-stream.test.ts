import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows } from '../../src/db/row-stream.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 3 });
});
afterAll(() => db.drop());

async function readAll<Row>(text: string, values: number[] = []): Promise<Row[]> {
  const all: Row[] = [];
  await readRows<Row>(db.database, { text, values }, async (rows) => void all.push(...rows));
  return all;
}

test('every row once and in order, with values', async () => {
  const rows = await readAll<{ i: number }>('SELECT i FROM generate_series(1, $1::int) i WHERE i <> $2', [5000, 7]);
  expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1).filter((i) => i !== 7));
});

test('no rows', async () => {
  expect(await readAll('SELECT 1 WHERE false')).toEqual([]);
});

test('an error at the start or in the middle is thrown', async () => {
  await expect(readAll('SELECT nothing')).rejects.toThrow('nothing');
  await expect(readAll('SELECT 1 / (900 - i) FROM generate_series(1, 1000) i')).rejects.toThrow('division by zero');
});

test('a taker that stops ends the transaction', async () => {
  const stop = async () => {
    throw new Error('enough');
  };
  for (let i = 0; i < 8; i += 1)
    await expect(readRows(db.database, { text: 'SELECT generate_series(1, 2000)' }, stop)).rejects.toThrow('enough');
  expect(db.database.pool().used).toBe(0);
});

test('more reads than connections all end', async () => {
  const lists = await Promise.all(Array.from({ length: 8 }, () => readAll('SELECT generate_series(1, 2000)')));
  expect(lists.map((list) => list.length)).toEqual(Array(8).fill(2000));
});
