import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIndex, dropIndex } from '../../src/db/build-index.ts';
import { partitionSessions } from '../../src/db/partitioning/partition-sessions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const index = { name: 'study_sessions_note_idx', table: 'study_sessions', on: `(note) WHERE note <> ''` };
const partition = () => partitionSessions(db.database.knex, { parts: 3, chunk: 100, log: () => undefined });
const build = () => buildIndex(db.database.knex, index);
/** The index and those of its partitions, and whether each is valid. */
const builtIndexes = () =>
  db.sql.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE c.relname LIKE 'study_sessions%_note_idx' ORDER BY 1`,
  );

test('writes are not blocked while an index is built', async () => {
  const { knex } = db.database;
  const writing = await knex.transaction();
  await writing.raw(`UPDATE study_sessions SET note = '' WHERE false`); // the build waits for this transaction
  const building = build();
  const waits = `SELECT count(*)::integer AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
  await expect.poll(() => db.sql.query(waits)).toEqual([{ waiting: 1 }]);
  await db.sql.query(`SET lock_timeout = '5s'; UPDATE study_sessions SET note = '' WHERE false`);
  await writing.commit();
  await building;
  expect(await builtIndexes()).toEqual([{ name: 'study_sessions_note_idx', valid: true }]);
});

test('an index on a partitioned table is attached to all partitions, also after an interrupted build', async () => {
  await partition();
  await db.sql.query('CREATE INDEX study_sessions_p000_note_idx ON study_sessions_p000 (started_at)'); // left behind
  await build();
  await build(); // applied, but not recorded
  const names = ['study_sessions_note_idx', ...[0, 1, 2].map((part) => `study_sessions_p00${part}_note_idx`)];
  expect(await builtIndexes()).toEqual(names.map((name) => ({ name, valid: true })));
  await dropIndex(db.database.knex, index.name);
  expect(await builtIndexes()).toEqual([]);
});

test('index migrations can be reverted and repeated on a partitioned table', async () => {
  await partition();
  for (const name of ['20261122190100_index_changes', '20261123170000_index_characters_of_notes']) {
    const migration = await import(`../../migrations/${name}.ts`);
    await migration.down(db.database.knex);
    await migration.up(db.database.knex);
    await migration.up(db.database.knex);
  }
  const [{ missing } = {}] = await db.sql.query<{ missing: number }>(
    `SELECT count(*)::integer AS missing FROM pg_index
     WHERE indrelid = 'study_sessions'::regclass AND NOT indisvalid`,
  );
  expect(missing).toBe(0);
});
