import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import {
  applyFunctionFiles,
  dropFunctions,
  forgetAppliedFunctions,
  pendingFunctionFiles,
  readFunctionFiles,
} from './functions.ts';
import { assertSupported, recordRelease } from './release.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../migrations');

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
  getMigration: load,
};

async function load({ file }: Migration): Promise<Knex.Migration & { config?: { transaction?: boolean } }> {
  return import(pathToFileURL(path.join(folder, file)).href);
}

const options = { migrationSource: source, tableName: 'migrations' };

// Any constant, as long as it is the same in every process.
const lockKey = 7_246_105;

/** The names of what ran: migrations, then files of db/functions. With `newer` migrations nothing ran. */
export type Migrated = { migrations: string[]; functions: string[]; newer: string[] };

/**
 * Brings the schema up to date: runs the pending migrations, then applies the functions and triggers that changed.
 * Processes that start together wait for the first one. The advisory lock ends with its transaction, so a killed
 * process leaves nothing locked. The schema of a newer version that still supports this one is left as it is: what runs
 * beside its processes, or after it was rolled back, must not take its functions away.
 * @throws NewerSchemaError
 */
export async function migrateToLatest(knex: Knex): Promise<Migrated> {
  return withMigrationLock(knex, async (trx) => {
    // Not in the transaction: it would keep the snapshot of a statement with parameters (see `tryLock`).
    const newer = await newerMigrations(knex);
    if (newer.length > 0) {
      await assertSupported(knex);
      return { migrations: [], functions: [], newer };
    }
    await releaseStaleLock(knex);
    const migrations = await runPending(knex);
    const functions = await applyFunctionFiles(trx, await readFunctionFiles());
    await recordRelease(trx);
    return { migrations, functions, newer };
  });
}

/** The migrations that ran and that this version does not have. */
async function newerMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('migrations'))) return [];
  const own = new Set((await source.getMigrations([])).map(({ name }) => name));
  const ran = await knex<{ name: string }>('migrations').select('name').orderBy('name');
  return ran.map(({ name }) => name).filter((name) => !own.has(name));
}

/**
 * Reverts the newest migration, or with `all` every one; returns their names. Functions and triggers that remain keep
 * their definition until the next `migrateToLatest`, which applies all of them again.
 */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    await forgetAppliedFunctions(knex);
    const reverted: string[] = [];
    do {
      const name = await revertNewest(knex);
      if (name === undefined) break;
      reverted.push(name);
    } while (all);
    if (all) await dropFunctions(knex, await readFunctionFiles());
    return reverted;
  });
}

/** Migrates up to and including the named migration, without db/functions: an older version of the schema, to load data into. */
export async function migrateUpTo(knex: Knex, name: string): Promise<void> {
  const ran = await runPending(knex, name);
  if (!ran.includes(name)) throw new Error(`unknown migration ${name}`);
}

/**
 * One by one, each in one transaction with its row in `migrations`, so that a killed process leaves none applied but not recorded.
 * (`latest` of Knex records every migration after its commit when one of those pending runs outside a transaction.)
 */
async function runPending(knex: Knex, last?: string): Promise<string[]> {
  const ran: string[] = [];
  for (;;) {
    const [, [name]] = (await knex.migrate.up(options)) as [number, string[]];
    if (name !== undefined) ran.push(name);
    if (name === undefined || name === last) return ran;
  }
}

/** In one transaction with its row, unless the migration runs outside a transaction; such a one can be reverted twice. */
async function revertNewest(knex: Knex): Promise<string | undefined> {
  const [completed] = (await knex.migrate.list(options)) as [{ name: string }[], unknown];
  const newest = (await source.getMigrations([])).findLast(({ name }) => completed.some((one) => one.name === name));
  if (newest === undefined) return undefined;
  const { config } = await load(newest);
  const revert = (database: Knex) => database.migrate.down({ ...options, name: newest.name });
  await (config?.transaction === false ? revert(knex) : knex.transaction(revert));
  return newest.name;
}

/** The migrations that have not run yet, then the files of db/functions that are not applied; none of a newer schema. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  if ((await newerMigrations(knex)).length > 0) return [];
  const [, migrations] = (await knex.migrate.list(options)) as [unknown[], Migration[]];
  const functions = await pendingFunctionFiles(knex, await readFunctionFiles());
  return [...migrations, ...functions].map(({ name }) => name);
}

/**
 * Runs work while no other process migrates. In a transaction, so that the lock also holds behind a pooler that assigns
 * connections per transaction.
 */
export async function withMigrationLock<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    while (!(await tryLock(trx))) await delay(100);
    return work(trx);
  });
}

/**
 * Polled: a statement that waits inside the server has a snapshot, and CREATE INDEX CONCURRENTLY of the process
 * that holds the lock would wait for it.
 */
async function tryLock(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(${lockKey}) AS locked`,
  );
  return rows[0]?.locked === true;
}

/** Knex has a lock row of its own, which a killed process leaves behind. Under the advisory lock it has no meaning. */
async function releaseStaleLock(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_lock')) await knex.migrate.forceFreeMigrationsLock(options);
}
