import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIndex, dropIndex } from '../../src/db/build-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const index = { name: 'study_sessions_note_idx', table: 'study_sessions', on: `(note) WHERE note <> ''` };
const build = () => buildIndex(db.database.knex, index);
/** The index, and whether it is valid. */
const builtIndexes = () =>
  db.sql.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE c.relname = 'study_sessions_note_idx'`,
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

test('an index that an interrupted build left is replaced, and can be dropped', async () => {
  await db.sql.query('CREATE INDEX study_sessions_note_idx ON study_sessions (started_at)'); // left behind
  await db.sql.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'study_sessions_note_idx'::regclass`);
  await build();
  await build(); // applied, but not recorded
  expect(await builtIndexes()).toEqual([{ name: 'study_sessions_note_idx', valid: true }]);
  await dropIndex(db.database.knex, index.name);
  expect(await builtIndexes()).toEqual([]);
});
