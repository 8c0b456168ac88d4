import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../migrations');

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

/** The migrations that ran: none if the schema has `newer` ones. */
export type Migrated = { migrations: string[]; newer: string[] };

export class EarlierSchemaError extends Error {
  override readonly name = 'EarlierSchemaError';
  override readonly message = 'The database was made by an earlier development version; create a new one.';
}

/**
 * Runs the pending migrations. Leaves a newer schema unchanged: it supports this version, and processes of the newer version may
 * be running. Throws EarlierSchemaError.
 */
export async function migrateToLatest(knex: Knex): Promise<Migrated> {
  return withMigrationLock(knex, async () => {
    const newer = await newerMigrations(knex);
    if (newer.length > 0) return { migrations: [], newer };
    await releaseStaleLock(knex);
    return { migrations: await runPending(knex), newer };
  });
}

/** Unknown migrations that sort after the known ones. Others are of an earlier development version. */
async function newerMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('migrations'))) return [];
  const own = (await source.getMigrations([])).map(({ name }) => name);
  const ran = await knex<{ name: string }>('migrations').select('name').orderBy('name');
  const unknown = ran.map(({ name }) => name).filter((name) => !own.includes(name));
  if (unknown.some((name) => name < (own.at(-1) ?? ''))) throw new EarlierSchemaError();
  return unknown;
}

/** Reverts the newest migration, or all. */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    const reverted: string[] = [];
    do {
      const name = await revertNewest(knex);
      if (name === undefined) break;
      reverted.push(name);
    } while (all);
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
  return migrations.map(({ name }) => name);
}

/** Runs work while no other process migrates. A transaction-level lock also works behind a pooler, and ends with a killed process. */
async function withMigrationLock<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  return knex.transaction(async (trx) => {
    await trx.raw(
      'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    while (!(await tryLock(trx))) await delay(100);
    return work();
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
