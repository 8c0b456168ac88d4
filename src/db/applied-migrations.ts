import type { Knex } from 'knex';
import { OperatorError } from '../lib/operator-error.ts';
import { hashMigration, type Migration } from './migration-files.ts';

/** The database cannot be used with the migrations of this version. */
export class UnusableSchemaError extends OperatorError {
  override readonly name = 'UnusableSchemaError';
}

const earlier =
  'The database was made by a development version before 1.1.0, which cannot be upgraded; create a new one ' +
  '(docs/operations.md, "From a version before 1.1.0").';

const changed = (name: string) =>
  `${name} was changed after it was applied; restore the file as it was and add a new migration, or create a new database.`;

export type Applied = { readonly name: string; readonly hash: string | undefined };

/** Beside Knex's own table. Written in the transaction of the migration, unless that runs without one. */
const table = 'migrations_hashes';

export async function createHashTable(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (name text PRIMARY KEY, hash text NOT NULL)`);
}

export async function keepHash(knex: Knex, migration: Migration): Promise<void> {
  const hash = await hashMigration(migration);
  await knex(table).insert({ name: migration.name, hash }).onConflict('name').merge();
}

export async function removeHash(knex: Knex, { name }: Migration): Promise<void> {
  await knex(table).where({ name }).delete();
}

/** In the order of their names. */
export async function readApplied(knex: Knex): Promise<Applied[]> {
  if (!(await knex.schema.hasTable('migrations'))) return [];
  const applied = await knex<{ name: string }>('migrations').select('name').orderBy('name');
  const rows = (await knex.schema.hasTable(table)) ? await knex<{ name: string; hash: string }>(table) : [];
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]));
  return applied.map(({ name }) => ({ name, hash: hashes.get(name) }));
}

/**
 * Compares what was applied with the migrations of this version, and returns the names of a newer version, which sort after the known
 * ones. Throws UnusableSchemaError for one that is unknown or has changed.
 */
export async function compareApplied(applied: readonly Applied[], migrations: readonly Migration[]): Promise<string[]> {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newest = migrations.at(-1)?.name ?? '';
  const newer: string[] = [];
  for (const { name, hash } of applied) {
    const migration = known.get(name);
    if (migration === undefined && name > newest) newer.push(name);
    else if (migration === undefined || hash === undefined) throw new UnusableSchemaError(earlier);
    else if (hash !== (await hashMigration(migration))) throw new UnusableSchemaError(changed(name));
  }
  return newer;
}
