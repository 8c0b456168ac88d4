import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import {
  applyFunctionFiles,
  dropFunctions,
  forgetAppliedFunctions,
  pendingFunctionFiles,
  readFunctionFiles,
} from './functions.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../migrations');

type Migration = { name: string; file: string };

/**
 * Instead of Knex's folder loader: names have no extension, so that a database migrated from the sources and one
 * migrated from the compiled files agree on what has run.
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

// Any constant, as long as it is the same in every process.
const lockKey = 7_246_105;

/** The names of what ran: migrations, then files of db/functions. */
export type Migrated = { migrations: string[]; functions: string[] };

/**
 * Brings the schema up to date: runs the pending migrations, then applies the functions and triggers that changed.
 * Processes that start together wait for the first one. The advisory lock ends with its transaction, so a killed
 * process leaves nothing locked.
 */
export async function migrateToLatest(knex: Knex): Promise<Migrated> {
  return withMigrationLock(knex, async (trx) => {
    await releaseStaleLock(knex);
    const [, migrations] = (await knex.migrate.latest(options)) as [number, string[]];
    return { migrations, functions: await applyFunctionFiles(trx, await readFunctionFiles()) };
  });
}

/**
 * Reverts the newest migration, or with `all` every one; returns their names. Functions and triggers that remain keep
 * their definition until the next `migrateToLatest`, which applies all of them again.
 */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    await forgetAppliedFunctions(knex);
    const [, reverted] = (await (all ? knex.migrate.rollback(options, true) : knex.migrate.down(options))) as [
      number,
      string[],
    ];
    if (all) await dropFunctions(knex, await readFunctionFiles());
    return reverted;
  });
}

/** Migrates up to and including the named migration, without db/functions: an older version of the schema, to load data into. */
export async function migrateUpTo(knex: Knex, name: string): Promise<void> {
  for (;;) {
    const [, ran] = (await knex.migrate.up(options)) as [number, string[]];
    if (ran.length === 0) throw new Error(`unknown migration ${name}`);
    if (ran.includes(name)) return;
  }
}

/** The migrations that have not run yet, then the files of db/functions that are not applied. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, migrations] = (await knex.migrate.list(options)) as [unknown[], Migration[]];
  const functions = await pendingFunctionFiles(knex, await readFunctionFiles());
  return [...migrations, ...functions].map(({ name }) => name);
}

/** In a transaction, so that the lock also holds behind a pooler that assigns connections per transaction. */
async function withMigrationLock<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    await trx.raw(`SELECT pg_advisory_xact_lock(${lockKey})`);
    return work(trx);
  });
}

/** Knex has a lock row of its own, which a killed process leaves behind. Under the advisory lock it has no meaning. */
async function releaseStaleLock(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_lock')) await knex.migrate.forceFreeMigrationsLock(options);
}
