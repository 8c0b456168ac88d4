import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeSchema } from '../../scripts/schema.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrateDown, migrateToLatest, migrateUpTo, pendingMigrations } from '../../src/db/schema/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
});
afterAll(() => empty.drop());

const knex = () => empty.database.knex;

const describeFunctions = `
  SELECT string_agg(pg_get_functiondef(p.oid), E'\\n' ORDER BY p.proname) AS functions
  FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('sql', 'plpgsql')`;

const functionsOf = async ({ sql }: TestDatabase) =>
  (await sql.query<{ functions: string | null }>(describeFunctions))[0]?.functions ?? '';

/** Tables without triggers and functions, which at an older stage are those of the migrations. */
const tables = async () =>
  (await describeSchema(knex()))
    .replace(/^CREATE TRIGGER[^;]+;\n+/gm, '')
    .replace(/\n+/g, '\n')
    .split('-- Functions')[0];

describe('migrations', () => {
  test('up, down and up again leave the same schema, and nothing when all are undone', async () => {
    await migrateToLatest(knex());
    const [schema, functions] = [await describeSchema(knex()), await functionsOf(empty)];
    expect(await pendingMigrations(knex())).toEqual([]);
    await migrateDown(knex(), true);
    expect(await describeSchema(knex())).not.toMatch(/^CREATE TABLE|^CREATE TRIGGER/m);
    expect(await functionsOf(empty)).toBe('');
    await migrateToLatest(knex());
    expect(await describeSchema(knex())).toBe(schema);
    expect(await functionsOf(empty)).toBe(functions);
  });

  test('each can be undone and done again by itself', async () => {
    await migrateToLatest(knex());
    const [schema, functions] = [await describeSchema(knex()), await functionsOf(empty)];
    for (;;) {
      const before = await tables();
      const [undone] = await migrateDown(knex());
      if (undone === undefined) break;
      await migrateUpTo(knex(), undone);
      expect(await tables(), undone).toBe(before);
      await migrateDown(knex());
    }
    await migrateToLatest(knex());
    expect(await describeSchema(knex())).toBe(schema);
    expect(await functionsOf(empty)).toBe(functions);
  });

  test('a migration and its record are one transaction, up and down', async () => {
    const fresh = await createTestDatabase({ empty: true });
    const { knex } = fresh.database;
    const name = '20261121090100_create_projects';
    await migrateUpTo(knex, '20261121090000_create_users');
    await fresh.sql.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
      CREATE TRIGGER fail BEFORE INSERT OR DELETE ON migrations FOR EACH ROW EXECUTE FUNCTION fail();`);
    const projects = async () => (await fresh.sql.query(`SELECT to_regclass('projects') AS found`))[0];

    await expect(migrateToLatest(knex)).rejects.toThrow('disk full');
    expect(await projects()).toEqual({ found: null });
    await fresh.sql.query('ALTER TABLE migrations DISABLE TRIGGER fail');
    await migrateUpTo(knex, name);
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
    expect(ran.filter(({ functions }) => functions.length > 0)).toHaveLength(1);
    await Promise.all(processes.map((database) => database.close()));
    await fresh.drop();
  });
});

test('an index that is created concurrently waits for transactions beyond the lock timeout of its role', async () => {
  const fresh = await createTestDatabase({ empty: true });
  await migrateUpTo(fresh.database.knex, '20261122190000_add_changes');
  const impatient = openDatabase({ url: fresh.url, poolSize: 3, timeouts: { lock: 300 } });
  const reader = await fresh.database.knex.transaction({ isolationLevel: 'repeatable read' });
  await reader.raw('SELECT FROM users');
  const migrated = migrateUpTo(impatient.knex, '20261122190100_index_changes');

  const attempts = new Set<string>();
  await expect
    .poll(async () => {
      for (const { oid } of await fresh.sql.query<{ oid: string }>(
        'SELECT indexrelid::text AS oid FROM pg_index WHERE NOT indisvalid',
      ))
        attempts.add(oid);
      return attempts.size;
    })
    .toBeGreaterThan(1);
  await reader.commit();
  await migrated;
  expect(await fresh.sql.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
  await impatient.close();
  await fresh.drop();
});

describe('a database with single assignments', () => {
  test('is carried over: every assignment becomes a row, once, and the old field stays in step', async () => {
    const old = await createTestDatabase({ empty: true });
    const { database, sql } = old;
    await migrateUpTo(database.knex, '20261121090100_create_projects');
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
    expect(await migrateToLatest(database.knex)).toEqual({ migrations: [], functions: [], newer: [] });
    expect(await sql.query('SELECT project_id, user_id FROM project_assignments ORDER BY project_id')).toEqual(before);
    expect(await sql.query(assigned)).toEqual(before);

    // Visible through the relation from now on, counted, and with a version for every user's list.
    const [counts] = await sql.query<{ kept: number; lists: number }>(
      `SELECT (SELECT sum(total) FROM project_counts) AS kept, (SELECT count(*) FROM user_list_versions) AS lists`,
    );
    expect(counts).toEqual({ kept: 500 - Math.floor(500 / 11), lists: 20 });
    await old.drop();
  });
});
