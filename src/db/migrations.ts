import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../migrations');

type Migration = { name: string; file: string };

/**
 * Our own source instead of Knex's folder loader: names carry no extension, so a database migrated from the sources
 * and one migrated from the compiled files agree on what has run.
 */
const source: Knex.MigrationSource<Migration> = {
  getMigrations: async () => {
    const files = (await readdir(folder)).filter((file) => /^\d{14}_\w+\.[jt]s$/.test(file)).sort();
    return files.map((file) => ({ name: file.replace(/\.[jt]s$/, ''), file }));
  },
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) =>
    (await import(pathToFileURL(path.join(folder, migration.file)).href)) as Knex.Migration,
};

const options = { migrationSource: source, tableName: 'migrations' };

// Any constant does, as long as every process takes the same one.
const lockKey = 7_246_105;

/**
 * Brings the schema to head and returns the names of the migrations that ran. Processes that start together
 * wait for the first one: the advisory lock goes with its transaction, so a killed process leaves nothing locked.
 */
export async function migrateToLatest(knex: Knex): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    await releaseStaleLock(knex);
    const [, ran] = (await knex.migrate.latest(options)) as [number, string[]];
    return ran;
  });
}

/** Undoes the newest migration, or with `all` every one; returns their names. */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    const [, undone] = (await (all ? knex.migrate.rollback(options, true) : knex.migrate.down(options))) as [
      number,
      string[],
    ];
    return undone;
  });
}

/** Migrates up to and including the named migration: for tests that fill an older stage of the schema. */
export async function migrateUpTo(knex: Knex, name: string): Promise<void> {
  for (;;) {
    const [, ran] = (await knex.migrate.up(options)) as [number, string[]];
    if (ran.length === 0) throw new Error(`no migration is called ${name}`);
    if (ran.includes(name)) return;
  }
}

/** The migrations that have not run yet. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, pending] = (await knex.migrate.list(options)) as [unknown[], Migration[]];
  return pending.map((migration) => migration.name);
}

/** In a transaction, so that the lock keeps its connection also where a pooler lends one for no longer than that. */
async function withMigrationLock<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    await trx.raw(`SELECT pg_advisory_xact_lock(${lockKey})`);
    return work();
  });
}

/** Knex keeps a lock row of its own that a killed process leaves behind; under our advisory lock it means nothing. */
async function releaseStaleLock(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_lock')) await knex.migrate.forceFreeMigrationsLock(options);
}
