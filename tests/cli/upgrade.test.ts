import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBackup } from '../../src/db/backup/read.ts';
import { migrateToLatest, pendingMigrations } from '../../src/db/migrate.ts';
import { projectRoot } from '../../src/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { studytrack, temporaryFolder } from '../support/service-process.ts';
import { startTestApp } from '../support/test-app.ts';

const releases = path.join(projectRoot, 'tests/fixtures/releases');
const later = path.join(projectRoot, 'tests/fixtures/later-migrations');
const addShelf = '20990101000100_add_shelf_to_projects';
const indexShelf = '20990101000200_index_shelf_of_projects';

async function emptyDatabase() {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(database.drop);
  return database;
}

const released = (await readdir(releases)).filter((file) => file.endsWith('.tar.gz'));

async function fileOf(name: string): Promise<string> {
  if (name !== 'this version') return path.join(releases, name);
  const { url } = await emptyDatabase();
  const file = path.join(await temporaryFolder(), 'backup.tar.gz');
  expect(await studytrack(['seed'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  expect(await studytrack(['backup', '--to', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  return file;
}

test.each(['this version', ...released])('data of %s are restored, upgraded, and used', async (name) => {
  const { url, database, sql } = await emptyDatabase();
  const file = await fileOf(name);
  const storeImage = async () => undefined;
  const end = await readBackup({ url, storeImage, log: () => undefined }, () => createReadStream(file));
  expect(await pendingMigrations(database.knex)).toEqual([]);

  const projects = 'SELECT id, name, current_seconds FROM projects ORDER BY id';
  const before = await sql.query(projects);
  expect(before).toHaveLength(end.rows['projects'] ?? 0);
  expect(before.length).toBeGreaterThan(5);
  expect(await migrateToLatest(database.knex, later)).toEqual({ migrations: [addShelf, indexShelf], newer: [] });
  expect(await sql.query(projects)).toEqual(before);
  expect(await sql.query('SELECT FROM projects WHERE shelf <> left(name, 1)')).toEqual([]);

  // This version serves beside the next one, and leaves its schema as it is.
  expect(await migrateToLatest(database.knex)).toEqual({ migrations: [], newer: [addShelf, indexShelf] });
  const app = await startTestApp({ databaseUrl: url });
  onTestFinished(app.stop);
  const admin = await app.createUser({ role: 'admin' });
  const listed = await app.as(admin).get('/api/projects?limit=1').expect(200);
  expect(listed.body.data.pagination.total).toBe(end.rows['projects']);
});

test('a later migration that fails leaves the data as they were, and can be repeated', async () => {
  const { url, database, sql } = await emptyDatabase();
  await studytrack(['seed'], { DATABASE_URL: url });
  await sql.query('ALTER TABLE projects ADD CONSTRAINT projects_shelf_short CHECK (true)');
  await expect(migrateToLatest(database.knex, later)).rejects.toThrow('projects_shelf_short');
  expect(await pendingMigrations(database.knex)).toEqual([]);
  await sql.query('ALTER TABLE projects DROP CONSTRAINT projects_shelf_short');
  expect((await migrateToLatest(database.knex, later)).migrations).toEqual([addShelf, indexShelf]);
});
