import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamRows } from '../../src/db/row-stream.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 3 });
});
afterAll(() => db.drop());

test('every row once and in order, with values', async () => {
  const rows = streamRows<{ i: number }>(
    db.database,
    'SELECT i FROM generate_series(1, $1::int) i WHERE i <> $2',
    [5000, 7],
  );
  const seen: number[] = [];
  for await (const row of rows) seen.push(row.i);
  expect(seen).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1).filter((i) => i !== 7));
});

test('no rows', async () => {
  expect(await streamRows(db.database, 'SELECT 1 WHERE false').toArray()).toEqual([]);
});

test('a fault at the start or in the middle breaks the stream off', async () => {
  await expect(streamRows(db.database, 'SELECT nothing').toArray()).rejects.toThrow('nothing');
  await expect(
    streamRows(db.database, 'SELECT 1 / (900 - i) FROM generate_series(1, 1000) i').toArray(),
  ).rejects.toThrow('division by zero');
});

test('more streams than connections, read at once or left early, all end', async () => {
  const query = 'SELECT i FROM generate_series(1, 2000) i';
  for (let i = 0; i < 8; i += 1) for await (const _ of streamRows(db.database, query)) break;
  const lists = await Promise.all(Array.from({ length: 8 }, () => streamRows(db.database, query).toArray()));
  expect(lists.map((list) => list.length)).toEqual(Array(8).fill(2000));
});

test('streams that nobody reads leave connections for the rest', async () => {
  const idle = Array.from({ length: 8 }, () => streamRows(db.database, 'SELECT i FROM generate_series(1, 2000) i'));
  await new Promise((resolve) => idle[0]?.once('readable', resolve));
  expect(await db.database.rows({ name: '', text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  for (const stream of idle) stream.destroy();
});
