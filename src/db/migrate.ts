import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  compareApplied,
  createHashTable,
  keepHash,
  listMigrations,
  loadMigration,
  type Migration,
  readApplied,
  removeHash,
  UnusableSchemaError,
} from './migration-files.ts';

const lockKey = 7_246_105;

/** The migrations that ran: none if the schema has `newer` ones. */
export type Migrated = { migrations: string[]; newer: string[] };

/** Each migration keeps its hash, so that a later change of its file is noticed. */
function optionsFor(migrations: readonly Migration[]) {
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: async () => [...migrations],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => {
      const { up, down, ...config } = await loadMigration(migration);
      return {
        ...config,
        up: async (knex) => {
          await up(knex);
          await keepHash(knex, migration);
        },
        down: async (knex) => {
          await down?.(knex);
          await removeHash(knex, migration);
        },
      };
    },
  };
  return { migrationSource, tableName: 'migrations' };
}

/**
 * Runs the pending migrations. Leaves a newer schema unchanged: it supports this version, and processes of the newer version may
 * be running. Throws UnusableSchemaError.
 */
export async function migrateToLatest(knex: Knex, laterFolder?: string): Promise<Migrated> {
  return withMigrationLock(knex, async () => {
    const { migrations, newer } = await compare(knex, laterFolder);
    if (newer.length > 0) return { migrations: [], newer };
    await releaseStaleLock(knex);
    return { migrations: await runPending(knex, migrations), newer };
  });
}

async function compare(knex: Knex, laterFolder?: string) {
  const migrations = await listMigrations(...(laterFolder === undefined ? [] : [laterFolder]));
  const applied = await readApplied(knex);
  return { migrations, applied, newer: await compareApplied(applied, migrations) };
}

/** Reverts the newest migration, or all. */
export async function migrateDown(knex: Knex, all = false): Promise<string[]> {
  return withMigrationLock(knex, async () => {
    const { migrations, applied, newer } = await compare(knex);
    if (newer.length > 0)
      throw new UnusableSchemaError(`${newer[0]} is of a newer version; revert it with that version.`);
    const known = migrations.filter(({ name }) => applied.some((one) => one.name === name)).reverse();
    const reverted = all ? known : known.slice(0, 1);
    for (const migration of reverted) await revert(knex, migrations, migration);
    return reverted.map(({ name }) => name);
  });
}

/** Applies and reverts migrations until this is the newest one. Reverting removes data. */
export async function migrateTo(knex: Knex, name: string): Promise<void> {
  await withMigrationLock(knex, async () => {
    const { migrations, applied } = await compare(knex);
    if (!migrations.some((migration) => migration.name === name)) throw new Error(`unknown migration ${name}`);
    const isApplied = (migration: Migration) => applied.some((one) => one.name === migration.name);
    const later = migrations.filter((migration) => migration.name > name && isApplied(migration)).reverse();
    for (const migration of later) await revert(knex, migrations, migration);
    await runPending(
      knex,
      migrations.filter((migration) => migration.name <= name),
    );
  });
}

/** One by one: Knex's `latest` records all migrations outside their transactions if one of them runs without a transaction. */
async function runPending(knex: Knex, migrations: readonly Migration[]): Promise<string[]> {
  await createHashTable(knex);
  const options = optionsFor(migrations);
  const ran: string[] = [];
  for (;;) {
    const [, [name]] = (await knex.migrate.up(options)) as [number, string[]];
    if (name === undefined) return ran;
    ran.push(name);
  }
}

/** In one transaction with its row, unless the migration runs without a transaction; that must be safe to repeat. */
async function revert(knex: Knex, migrations: readonly Migration[], migration: Migration): Promise<void> {
  const { config } = await loadMigration(migration);
  const down = (database: Knex) => database.migrate.down({ ...optionsFor(migrations), name: migration.name });
  await (config?.transaction === false ? down(knex) : knex.transaction(down));
}

/** None if the schema is newer. Throws UnusableSchemaError. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const { migrations, applied, newer } = await compare(knex);
  if (newer.length > 0) return [];
  const names = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
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
  if (await knex.schema.hasTable('migrations_lock'))
    await knex.migrate.forceFreeMigrationsLock({ tableName: 'migrations' });
}
