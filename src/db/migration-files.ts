import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
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
export async function hashMigration({ name, file }: Migration): Promise<string> {
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
