import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { sql, t } from '../../src/db/sql/sql.ts';
import { query } from '../../src/db/sql/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const one = query('test_guarded', { one: t.integer }, () => sql`SELECT 1 AS one`);
let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

describe('using the pool inside a transaction throws', () => {
  const insideOf = (work: () => Promise<unknown>) => own.database.transaction(() => work());

  test.each([
    ['a statement', () => own.database.many(one())],
    ['another transaction', () => own.database.transaction(async (tx) => tx.many(one()))],
    ['the query builder', async () => own.database.knex('users').select('id')],
    ['a statement in a later microtask', async () => Promise.resolve().then(() => own.database.many(one()))],
  ])('%s', async (_what, work) => {
    await expect(insideOf(work)).rejects.toThrow('the pool was used inside a transaction');
    expect(await own.database.many(one())).toEqual([{ one: 1 }]);
  });
});

test('other requests and afterCommit hooks may use the pool', async () => {
  const signals = new EventEmitter();
  const started = once(signals, 'started');
  const mayEnd = once(signals, 'end');
  let afterCommit: Promise<unknown> | undefined;
  let later: Promise<unknown> | undefined;
  const work = own.database.transaction(async (tx) => {
    tx.afterCommit(() => {
      afterCommit = own.database.many(one());
    });
    later = mayEnd.then(() => work).then(() => own.database.many(one()));
    await tx.transaction((joined) => joined.many(one()));
    signals.emit('started');
    await mayEnd;
  });
  await started;
  expect(await own.database.many(one())).toEqual([{ one: 1 }]);
  signals.emit('end');
  await work;
  expect([await afterCommit, await later]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

test('the pool is not guarded in production', async () => {
  const production = readConfig({
    NODE_ENV: 'production',
    DATABASE_URL: own.url,
    JWT_SECRET: 'Jm0rYq3kX7vT1cWz9dLs5gHb2nPf8uEa4oRi6xQw',
  });
  const { guardTransactions } = production.database;
  expect([guardTransactions, readConfig({}).database.guardTransactions]).toEqual([false, true]);
  const database = openDatabase({ url: own.url, poolSize: 2, guardTransactions });
  onTestFinished(database.close);
  expect(await database.transaction(() => database.many(one()))).toEqual([{ one: 1 }]);
});
