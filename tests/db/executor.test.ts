import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Columns as ColumnsOf } from '../../src/db/database.ts';
import { type Columns, type Sql, sql, t } from '../../src/db/sql/sql.ts';
import { command, query } from '../../src/db/sql/statement.ts';
import { UnavailableError, ValidationError } from '../../src/texts/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

let statements = 0;
const run = (columns: Columns, text: Sql) => own.database.many(query(`test_${++statements}`, columns, () => text)());

describe('a result that differs from its declaration is an error', () => {
  test.each<[string, Columns, Sql, string]>([
    ['another type', { id: t.text }, sql`SELECT 1::bigint AS id`, 'id has type 20, declared is text'],
    ['a column that is missing', { id: t.bigint, name: t.text }, sql`SELECT 1::bigint AS id`, 'does not return name'],
    ['an undeclared column', {}, sql`SELECT 1::bigint AS id`, 'returns id, which is not declared'],
    ['null', { id: t.bigint }, sql`SELECT NULL::bigint AS id`, 'id is null'],
    ['another value', { role: t.oneOf(['admin', 'user']) }, sql`SELECT 'root' AS role`, 'role is root'],
  ])('%s', async (_what, columns, text, message) => {
    await expect(run(columns, text)).rejects.toThrow(message);
  });
});

test('every type is parsed as declared', async () => {
  const columns = {
    bigint: t.bigint,
    numeric: t.numeric,
    text: t.text.orNull,
    moment: t.timestamptz,
    day: t.date,
    ids: t.bigints,
    json: t.json<{ a: number }>(),
    status: t.oneOf(['active', 'paused']),
  };
  const moment = new Date('2026-11-22T01:02:03.456Z');
  const read = query(
    'read_every_type',
    columns,
    () => sql`
      SELECT ${t.bigint(2 ** 40)} AS bigint, ${t.numeric(1.25)} AS numeric, ${t.text(null)} AS text,
        ${t.timestamptz(moment)} AS moment, ${t.date('2026-11-22')} AS day, ${t.bigints([3, 4])} AS ids,
        ${t.jsonb('{"a": 1}')} AS json, ${t.text('paused')} AS status`,
  );
  expect(await own.database.one(read())).toEqual({
    bigint: 2 ** 40,
    numeric: 1.25,
    text: null,
    moment: moment.toISOString(),
    day: '2026-11-22',
    ids: [3, 4],
    json: { a: 1 },
    status: 'paused',
  });
});

test('question marks are no placeholders', async () => {
  const columns = { has: t.boolean, text: t.text };
  const ask = query(
    'ask',
    columns,
    (key: string) => sql`SELECT '{"a": 1}'::jsonb ? ${t.text(key)} AS has, '?' AS text`,
  );
  expect(await own.database.one(ask('a'))).toEqual({ has: true, text: '?' });
});

describe('the number of rows', () => {
  const numbers = query(
    'read_numbers',
    { n: t.integer },
    (count: number) => sql`SELECT n FROM generate_series(1, ${t.integer(count)}) AS n`,
  );

  test('one: exactly one row', async () => {
    expect(await own.database.one(numbers(1))).toEqual({ n: 1 });
    await expect(own.database.one(numbers(0))).rejects.toThrow('read_numbers returned no row instead of one');
    await expect(own.database.one(numbers(2))).rejects.toThrow('read_numbers returned several rows instead of one');
  });

  test('maybeOne: a row or undefined', async () => {
    expect(await own.database.maybeOne(numbers(1))).toEqual({ n: 1 });
    expect(await own.database.maybeOne(numbers(0))).toBeUndefined();
    await expect(own.database.maybeOne(numbers(2))).rejects.toThrow('read_numbers returned 2 rows instead of one');
  });

  test('execute: the number of affected rows', async () => {
    const none = command(
      'touch_nobody',
      () => sql`UPDATE users SET display_name = display_name WHERE id = ${t.bigint(-1)}`,
    );
    expect(await own.database.execute(none())).toBe(0);
  });
});

test('errors are translated, with the original as their cause', async () => {
  const divide = command('wait_for_too_long', () => sql`SELECT pg_cancel_backend(pg_backend_pid())`);
  await expect(own.database.execute(divide())).rejects.toSatisfy(
    (error) => error instanceof UnavailableError && error.cause instanceof Error,
  );
});

describe('the query builder', () => {
  const columns = ['id', 'username', 'totp_enabled'] as const satisfies ColumnsOf<'users'>;
  const ada = { username: 'ada', email: 'ada@example.org', display_name: 'Ada' };

  test('reads, inserts, updates and deletes in a transaction', async () => {
    await own.database.transaction(async (tx) => {
      const [inserted] = await tx.table('users', 'test_insert').insert(ada, ['id']);
      const found = await tx
        .table('users', 'test_find')
        .where(ada)
        .first(...columns);
      expect(found).toEqual({ id: inserted?.id, username: 'ada', totp_enabled: false });
      expect(await tx.table('users', 'test_update').where(ada).update({ locale: 'zh' })).toBe(1);
      expect(await tx.table('users', 'test_delete').where(ada).delete()).toBe(1);
    });
    expect(
      await own.database
        .table('users', 'test_find')
        .where(ada)
        .first(...columns),
    ).toBeUndefined();
  });

  test('a name is a prepared statement, which has one text', async () => {
    await own.database.transaction(async (tx) => {
      await tx.table('users', 'test_unique').where({ id: 1 }).select('id');
      await tx.table('users', 'test_unique').where({ id: 2 }).select('id');
      const statements = query(
        'list_prepared',
        { name: t.text },
        () => sql`SELECT name FROM pg_prepared_statements WHERE name LIKE 'test_unique%'`,
      );
      expect(await tx.many(statements())).toEqual([{ name: 'test_unique' }]);
      await expect(tx.table('users', 'test_unique').where({ id: 1 }).select('email')).rejects.toThrow('test_unique');
    });
  });

  test('errors are translated, also of a failed insert', async () => {
    await own.database.table('users').insert(ada);
    await expect(own.database.table('users').insert(ada)).rejects.toBeInstanceOf(ValidationError);
    await own.database.table('users').where(ada).delete();
  });
});

describe('a transaction', () => {
  const name = query(
    'find_own_name',
    { username: t.text },
    () => sql`SELECT username FROM users WHERE username = 'ada'`,
  );
  const insert = command(
    'insert_ada',
    () => sql`INSERT INTO users (username, email, display_name) VALUES ('ada', 'ada@example.org', 'Ada')`,
  );

  test('beforeCommit hooks run before the commit, afterCommit hooks only after it', async () => {
    const steps: string[] = [];
    await expect(
      own.database.transaction(async (tx) => {
        tx.afterCommit(() => steps.push('after a rollback'));
        tx.beforeCommit(async () => {
          steps.push('before the commit');
          throw new Error('no');
        });
        await tx.execute(insert());
      }),
    ).rejects.toThrow('no');
    expect(await own.database.maybeOne(name())).toBeUndefined();

    await own.database.transaction(async (tx) => {
      tx.afterCommit(() => steps.push('after the commit'));
      tx.beforeCommit(async () => {
        steps.push((await tx.one(name())).username);
      });
      await tx.execute(insert());
    });
    expect(steps).toEqual(['before the commit', 'ada', 'after the commit']);
  });

  test('cannot be used after it has ended', async () => {
    const tx = await own.database.transaction(async (transaction) => transaction);
    await expect(tx.maybeOne(name())).rejects.toThrow('the transaction has ended');
  });
});
