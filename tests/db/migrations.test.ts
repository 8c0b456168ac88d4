import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeSchema } from '../../scripts/schema.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrateDown, migrateToLatest, migrateUpTo, pendingMigrations } from '../../src/db/migrations.ts';
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
    expect(await migrateToLatest(database.knex)).toEqual({ migrations: [], functions: [] });
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
