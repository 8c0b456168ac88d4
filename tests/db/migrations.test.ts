import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeSchema } from '../../scripts/schema.ts';
import { describeTables } from '../../scripts/table-types.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrateDown, migrateTo, migrateToLatest, pendingMigrations } from '../../src/db/migrate.ts';
import { describeHashes, hashFile } from '../../src/db/migration-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
});
afterAll(() => empty.drop());

const knex = () => empty.database.knex;

test.each([
  ['schema.sql', describeSchema],
  ['tables.d.ts', describeTables],
])('db/%s is up to date (otherwise: npm run schema)', async (file, describe) => {
  const current = await createTestDatabase();
  const text = await readFile(new URL(`../../db/${file}`, import.meta.url), 'utf8');
  expect(text).toBe(await describe(current.database.knex));
  await current.drop();
});

test('no applied migration was edited: a change is a new one, added to the list by npm run schema', async () => {
  expect(await readFile(hashFile, 'utf8')).toBe(await describeHashes());
});

describe('a database from other migrations is refused, in words', () => {
  const of = async (work: (knex: Knex) => Promise<unknown>) => {
    const used = await createTestDatabase();
    const { knex } = used.database;
    await work(knex);
    const messages = await Promise.all(
      [pendingMigrations, migrateToLatest, migrateDown].map((use) =>
        use(knex).then(String, (error: Error) => `${error.name}: ${error.message}`),
      ),
    );
    await used.drop();
    return [...new Set(messages)];
  };
  const earlier = /^UnusableSchemaError: The database was made by a development version before 1\.1\.0/;

  test('changed after it was applied', async () => {
    const name = '20261125000300_create_projects';
    expect(await of((knex) => knex('migrations_hashes').where({ name }).update({ hash: 'another' }))).toEqual([
      `UnusableSchemaError: ${name} was changed after it was applied; restore the file as it was and add a new migration, or create a new database.`,
    ]);
  });

  test.each<[string, (knex: Knex) => Promise<unknown>]>([
    ['without hashes', (knex) => knex.schema.dropTable('migrations_hashes')],
    ['one without a hash', (knex) => knex('migrations_hashes').where({ name: '20261125000100_create_users' }).delete()],
    ['an unknown one', (knex) => knex('migrations').insert({ name: '20261121090000_create_users', batch: 1 })],
  ])('of a development version: %s', async (_what, change) => {
    expect(await of(change)).toEqual([expect.stringMatching(earlier)]);
  });

  test('a newer one is left alone', async () => {
    const messages = await of((knex) => knex('migrations').insert({ name: '29991231000000_add_wonders', batch: 99 }));
    expect(messages).toContain(
      'UnusableSchemaError: 29991231000000_add_wonders is of a newer version; revert it with that version.',
    );
  });
});

describe('migrations', () => {
  test('up, down and up again leave the same schema, and nothing when all are undone', async () => {
    await migrateToLatest(knex());
    const schema = await describeSchema(knex());
    expect(await pendingMigrations(knex())).toEqual([]);
    await migrateDown(knex(), true);
    expect(await describeSchema(knex())).not.toMatch(/^CREATE/m);
    await migrateToLatest(knex());
    expect(await describeSchema(knex())).toBe(schema);
  });

  test('each can be undone and done again by itself', async () => {
    await migrateToLatest(knex());
    for (;;) {
      const before = await describeSchema(knex());
      const [undone] = await migrateDown(knex());
      if (undone === undefined) break;
      await migrateTo(knex(), undone);
      expect(await describeSchema(knex()), undone).toBe(before);
      await migrateDown(knex());
    }
  });

  test('a migration and its record are one transaction, up and down', async () => {
    const fresh = await createTestDatabase({ empty: true });
    const { knex } = fresh.database;
    const name = '20261125000300_create_projects';
    await migrateTo(knex, '20261125000200_create_sign_ins');
    await fresh.sql.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
      CREATE TRIGGER fail BEFORE INSERT OR DELETE ON migrations FOR EACH ROW EXECUTE FUNCTION fail();`);
    const projects = async () => (await fresh.sql.query(`SELECT to_regclass('projects') AS found`))[0];

    await expect(migrateToLatest(knex)).rejects.toThrow('disk full');
    expect(await projects()).toEqual({ found: null });
    await fresh.sql.query('ALTER TABLE migrations DISABLE TRIGGER fail');
    await migrateTo(knex, name);
    await fresh.sql.query('ALTER TABLE migrations ENABLE TRIGGER fail');
    await expect(migrateDown(knex)).rejects.toThrow('disk full');
    expect(await projects()).toEqual({ found: 'projects' });
    await fresh.drop();
  });

  test('processes that start together migrate once', async () => {
    const fresh = await createTestDatabase({ empty: true });
    const processes = Array.from({ length: 4 }, () => openDatabase({ url: fresh.url, poolSize: 3 }));
    const ran = await Promise.all(processes.map((database) => migrateToLatest(database.knex)));
    expect(ran.filter(({ migrations }) => migrations.length > 0)).toHaveLength(1);
    await Promise.all(processes.map((database) => database.close()));
    await fresh.drop();
  });
});

describe('a database with single assignments', () => {
  test('is carried over: every assignment becomes a row, once, and the old field stays in step', async () => {
    const old = await createTestDatabase({ empty: true });
    const { database, sql } = old;
    await migrateTo(database.knex, '20261125000300_create_projects');
    await sql.query(
      `INSERT INTO users (username, email, display_name, role)
           SELECT 'person' || n, 'person' || n || '@example.org', 'Person ' || n, CASE WHEN n = 1 THEN 'admin' ELSE 'user' END
           FROM generate_series(1, 20) AS n`,
    );
    await sql.query(
      `INSERT INTO projects (user_id, name, assigned_user_id, deleted_at)
           SELECT 1 + n % 20, 'Project ' || n, CASE WHEN n % 3 > 0 THEN 1 + (n * 7) % 20 END, CASE WHEN n % 11 = 0 THEN now() END
           FROM generate_series(1, 500) AS n`,
    );
    const assigned = `SELECT id AS project_id, assigned_user_id AS user_id FROM projects
                          WHERE assigned_user_id IS NOT NULL AND deleted_at IS NULL ORDER BY id`;
    const before = await sql.query(assigned);
    expect(before.length).toBeGreaterThan(200);

    await migrateToLatest(database.knex);
    expect(await migrateToLatest(database.knex)).toEqual({ migrations: [], newer: [] });
    expect(await sql.query('SELECT project_id, user_id FROM project_assignments ORDER BY project_id')).toEqual(before);
    expect(await sql.query(assigned)).toEqual(before);

    const [counts] = await sql.query<{ kept: number }>('SELECT sum(total) AS kept FROM project_counts');
    expect(counts).toEqual({ kept: 500 - Math.floor(500 / 11) });
    await old.drop();
  });
});
