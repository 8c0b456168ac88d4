import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { OperatorError } from '../lib/operator-error.ts';
import { projectRoot } from '../project-root.ts';

/** The name has no extension, unlike those of Knex's loader: it is the same for sources and compiled files. */
export type Migration = { readonly name: string; readonly file: string };

type MigrationModule = Knex.Migration & { config?: { transaction?: boolean } };

/** The hashes of all sources, as `sha256sum --check` reads them. Installations without sources have only this file. */
export const hashFile = path.join(projectRoot, 'db/migrations.sha256');

const ownFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../migrations');

/** The migrations of the service. Tests of upgrades add folders with later ones. */
export async function listMigrations(...laterFolders: readonly string[]): Promise<Migration[]> {
  const inFolders = await Promise.all([ownFolder, ...laterFolders].map(listFolder));
  return inFolders.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function listFolder(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{14}_\w+\.[jt]s$/.test(file));
  return files.map((file) => ({ name: path.parse(file).name, file: path.join(folder, file) }));
}

export async function loadMigration({ file }: Migration): Promise<MigrationModule> {
  return import(pathToFileURL(file).href);
}

/** Of the source, where there is one, so that a change is noticed before the list of hashes is written again. */
async function hashMigration({ name, file }: Migration): Promise<string> {
  const source = file.endsWith('.ts') ? file : path.join(projectRoot, 'migrations', `${name}.ts`);
  if (existsSync(source)) return hashSource(await readFile(source, 'utf8'));
  const hash = (await readHashes()).get(name);
  if (hash === undefined) throw new Error(`${name} is missing in ${hashFile}`);
  return hash;
}

function hashSource(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

async function readHashes(): Promise<Map<string, string>> {
  const lines = (await readFile(hashFile, 'utf8')).trim().split('\n');
  return new Map(lines.map((line) => [path.parse(line.slice(66)).name, line.slice(0, 64)]));
}

/** The contents of the file of hashes. */
export async function describeHashes(): Promise<string> {
  const migrations = await listMigrations();
  const lines = migrations.map(
    async (migration) => `${await hashMigration(migration)}  migrations/${migration.name}.ts\n`,
  );
  return (await Promise.all(lines)).join('');
}

/** The database cannot be used with the migrations of this version. */
export class UnusableSchemaError extends OperatorError {
  override readonly name = 'UnusableSchemaError';
}

const earlier =
  'The database was made by a development version before 1.1.0, which cannot be upgraded; create a new one ' +
  '(docs/operations.md, "From a version before 1.1.0").';

const changed = (name: string) =>
  `${name} was changed after it was applied; restore the file as it was and add a new migration, or create a new database.`;

type Applied = { readonly name: string; readonly hash: string | undefined };

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
