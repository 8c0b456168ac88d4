import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import {
  applyFunctionFiles,
  clearAppliedFunctions,
  dropFunctions,
  pendingFunctionFiles,
  readFunctionFiles,
} from './functions.ts';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../migrations');

type Migration = { name: string; file: string };

/** Names without an extension, unlike those of Knex's loader: the same for sources and compiled files. */
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

const lockKey = 7_246_105;

/** The applied migrations and files of db/functions: none if the schema has `newer` migrations. */
export type Migrated = { migrations: string[]; functions: string[]; newer: string[] };

/**
 * Runs the pending migrations, then applies the changed functions and triggers. Leaves a newer schema unchanged: it supports this
 * version, and processes of the newer version may be running.
 */
export async function migrateToLatest(knex: Knex): Promise<Migrated> {
  return withMigrationLock(knex, async (trx) => {
    // Not in the transaction, which would hold a snapshot (see `tryLock`).
    const newer = await newerMigrations(knex);
    if (newer.length > 0) return { migrations: [], functions: [], newer };
    await releaseStaleLock(knex);
    const migrations = await runPending(knex);
    const functions = await applyFunctionFiles(trx, await readFunctionFiles());
    return { migrations, functions, newer };
  });
}

async function newerMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('migrations'))) return [];
  const own = new Set((await source.getMigrations([])).map(({ name }) => name));
  const ran = await knex<{ name: string }>('migrations').select('name').orderBy('name');
  return ran.map(({ name }) => name).filter((name) => !own.has(name));
}

/** Reverts the newest migration, or all. Remaining functions keep their definition until the next `migrateToLatest`. */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    await clearAppliedFunctions(knex);
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

export async function migrateUpTo(knex: Knex, name: string): Promise<void> {
  const ran = await runPending(knex, name);
  if (!ran.includes(name)) throw new Error(`unknown migration ${name}`);
}

/** One by one: Knex's `latest` records all migrations outside their transactions if one of them runs without a transaction. */
async function runPending(knex: Knex, last?: string): Promise<string[]> {
  const ran: string[] = [];
  for (;;) {
    const [, [name]] = (await knex.migrate.up(options)) as [number, string[]];
    if (name !== undefined) ran.push(name);
    if (name === undefined || name === last) return ran;
  }
}

/** In one transaction with its row, unless the migration runs without a transaction; that must be safe to repeat. */
async function revertNewest(knex: Knex): Promise<string | undefined> {
  const [completed] = (await knex.migrate.list(options)) as [{ name: string }[], unknown];
  const newest = (await source.getMigrations([])).findLast(({ name }) => completed.some((one) => one.name === name));
  if (newest === undefined) return undefined;
  const { config } = await load(newest);
  const revert = (database: Knex) => database.migrate.down({ ...options, name: newest.name });
  await (config?.transaction === false ? revert(knex) : knex.transaction(revert));
  return newest.name;
}

export async function pendingMigrations(knex: Knex): Promise<string[]> {
  if ((await newerMigrations(knex)).length > 0) return [];
  const [, migrations] = (await knex.migrate.list(options)) as [unknown[], Migration[]];
  const functions = await pendingFunctionFiles(knex, await readFunctionFiles());
  return [...migrations, ...functions].map(({ name }) => name);
}

/** Runs work while no other process migrates. A transaction-level lock also works behind a pooler, and ends with a killed process. */
export async function withMigrationLock<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    while (!(await tryLock(trx))) await delay(100);
    return work(trx);
  });
}

/** Polled: a waiting statement holds a snapshot, for which CREATE INDEX CONCURRENTLY in the other process would wait. */
async function tryLock(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(${lockKey}) AS locked`,
  );
  return rows[0]?.locked === true;
}

/** A killed process leaves Knex's own lock behind, which the advisory lock makes redundant. */
async function releaseStaleLock(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_lock')) await knex.migrate.forceFreeMigrationsLock(options);
}
