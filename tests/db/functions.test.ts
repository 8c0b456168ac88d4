import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSchema } from '../../scripts/schema.ts';
import { describeTables } from '../../scripts/table-types.ts';
import { readFunctionFiles } from '../../src/db/schema/functions.ts';
import { migrateDown, migrateToLatest, migrateUpTo, pendingMigrations } from '../../src/db/schema/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const knex = () => db.database.knex;
const bodyOf = async (name: string) => {
  const [row] = await db.sql.query<{ body: string }>('SELECT prosrc AS body FROM pg_proc WHERE proname = $1', [name]);
  return row?.body;
};

test.each([
  ['schema.sql', describeSchema],
  ['tables.d.ts', describeTables],
])('db/%s is up to date (otherwise: npm run schema)', async (file, describe) => {
  expect(await readFile(new URL(`../../db/${file}`, import.meta.url), 'utf8')).toBe(await describe(knex()));
});

test('every function and trigger is defined in db/functions', async () => {
  const files = (await readFunctionFiles()).map(({ text }) => text).join('\n');
  const inFiles = (kind: string) =>
    [...files.matchAll(new RegExp(`^CREATE OR REPLACE ${kind} (\\w+)`, 'gm'))].map(([, name]) => name).sort();
  const inDatabase = async (query: string) =>
    (await db.sql.query<{ name: string }>(query)).map(({ name }) => name).sort();
  expect(inFiles('TRIGGER')).toEqual(
    await inDatabase('SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal'),
  );
  expect(inFiles('FUNCTION')).toEqual(
    await inDatabase(`SELECT p.proname::text AS name FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('sql', 'plpgsql')`),
  );
});

describe('functions and triggers', () => {
  let current: string | undefined;
  beforeEach(async () => {
    await migrateToLatest(knex());
    current = await bodyOf('projects_touch');
    expect(await pendingMigrations(knex())).toEqual([]);
    await knex().raw(
      `CREATE OR REPLACE FUNCTION projects_touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    );
  });

  test('a file is applied if its text differs from the applied one; others are not', async () => {
    expect(await migrateToLatest(knex())).toEqual({ migrations: [], functions: [], newer: [] });
    await knex()('migrations_functions').where({ file: 'projects_touch.sql' }).update({ version: 'older' });
    expect(await pendingMigrations(knex())).toEqual(['projects_touch.sql']);
    expect(await migrateToLatest(knex())).toEqual({ migrations: [], functions: ['projects_touch.sql'], newer: [] });
    expect(await bodyOf('projects_touch')).toBe(current);
  });

  test('all files are applied after a migration', async () => {
    const [newest = ''] = await migrateDown(knex());
    await migrateUpTo(knex(), newest);
    const files = (await readFunctionFiles()).map(({ name }) => name);
    expect(await pendingMigrations(knex())).toEqual(files);
    expect(await migrateToLatest(knex())).toEqual({ migrations: [], functions: files, newer: [] });
    expect(await bodyOf('projects_touch')).toBe(current);
  });

  test('functions can be applied while requests write, without a deadlock', async () => {
    await knex()('migrations_functions').del();
    const writer = await knex().transaction();
    await writer.raw('LOCK TABLE study_sessions IN ROW EXCLUSIVE MODE');
    const migrating = migrateToLatest(knex());
    await expect
      .poll(() => db.sql.query(`SELECT FROM pg_locks WHERE NOT granted AND mode = 'ShareRowExclusiveLock'`))
      .toHaveLength(1);
    await writer.raw('UPDATE projects SET name = name'); // holds the lock that the files wait for and requests one that they hold
    await writer.commit();
    expect((await migrating).functions.length).toBeGreaterThan(20);
    expect(await bodyOf('projects_touch')).toBe(current);
  });
});
