import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sql } from '../../src/db/database.ts';
import { migrateDown, migrateToLatest, migrateUpTo, pendingMigrations } from '../../src/db/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
});
afterAll(() => empty.drop());

/** Everything a schema consists of, as text to compare. */
const describeSchema = sql(`
  SELECT string_agg(line, E'\\n' ORDER BY line) AS schema FROM (
    SELECT format('%s.%s %s %s %s', c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_default) AS line
    FROM information_schema.columns c WHERE c.table_schema = 'public'
    UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT t.tgisinternal
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('sql', 'plpgsql')
  ) AS parts`);

const schema = async () => (await empty.database.rows<{ schema: string | null }>(describeSchema))[0]?.schema;

describe('migrations', () => {
  test('up, down and up again leave the same schema, and nothing when all are undone', async () => {
    await migrateToLatest(empty.database.knex);
    const first = await schema();
    expect(await pendingMigrations(empty.database.knex)).toEqual([]);
    await migrateDown(empty.database.knex, true);
    const left = (await schema())?.split('\n').filter((line) => !/migrations/.test(line));
    expect(left).toEqual([]);
    await migrateToLatest(empty.database.knex);
    expect(await schema()).toBe(first);
  });

  test('each can be undone and done again by itself', async () => {
    await migrateToLatest(empty.database.knex);
    const full = await schema();
    for (;;) {
      const before = await schema();
      const [undone] = await migrateDown(empty.database.knex);
      if (undone === undefined) break;
      await migrateUpTo(empty.database.knex, undone);
      expect(await schema(), undone).toBe(before);
      await migrateDown(empty.database.knex);
    }
    await migrateToLatest(empty.database.knex);
    expect(await schema()).toBe(full);
  });

  test('processes that start together migrate once', async () => {
    const fresh = await createTestDatabase({ empty: true });
    const processes = Array.from({ length: 4 }, () => openDatabase({ url: fresh.url, poolSize: 3 }));
    const ran = await Promise.all(processes.map((database) => migrateToLatest(database.knex)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    await Promise.all(processes.map((database) => database.close()));
    await fresh.drop();
  });
});

describe('a database with single assignments', () => {
  test('is carried over: every assignment becomes a row, once, and the old field stays in step', async () => {
    const old = await createTestDatabase({ empty: true });
    const { database } = old;
    await migrateUpTo(database.knex, '20261121090100_create_projects');
    await database.rows(
      sql(`INSERT INTO users (username, email, display_name, role)
           SELECT 'person' || n, 'person' || n || '@example.org', 'Person ' || n, CASE WHEN n = 1 THEN 'admin' ELSE 'user' END
           FROM generate_series(1, 20) AS n`),
    );
    await database.rows(
      sql(`INSERT INTO projects (user_id, name, assigned_user_id, deleted_at)
           SELECT 1 + n % 20, 'Project ' || n, CASE WHEN n % 3 > 0 THEN 1 + (n * 7) % 20 END, CASE WHEN n % 11 = 0 THEN now() END
           FROM generate_series(1, 500) AS n`),
    );
    const assigned = sql(`SELECT id AS project_id, assigned_user_id AS user_id FROM projects
                          WHERE assigned_user_id IS NOT NULL AND deleted_at IS NULL ORDER BY id`);
    const before = await database.rows(assigned);
    expect(before.length).toBeGreaterThan(200);

    await migrateToLatest(database.knex);
    expect(await migrateToLatest(database.knex)).toEqual([]);
    expect(await database.rows(sql('SELECT project_id, user_id FROM project_assignments ORDER BY project_id'))).toEqual(
      before,
    );
    expect(await database.rows(assigned)).toEqual(before);

    // Visible through the relation from now on, counted, and with a version for every user's list.
    const [counts] = await database.rows<{ kept: number; lists: number }>(
      sql(`SELECT (SELECT sum(total) FROM project_counts) AS kept, (SELECT count(*) FROM user_list_versions) AS lists`),
    );
    expect(counts).toEqual({ kept: 500 - Math.floor(500 / 11), lists: 20 });
    await old.drop();
  });
});
