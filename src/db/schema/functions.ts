import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { projectRoot } from '../../lib/project-root.ts';
import { isLockConflict } from '../errors.ts';

const folder = path.join(projectRoot, 'db/functions');

export type FunctionFile = { name: string; text: string };
type PendingFile = FunctionFile & { version: string };

export async function readFunctionFiles(): Promise<FunctionFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })));
}

/** Changed files, or all after a migration, which may have replaced or dropped functions. */
export async function pendingFunctionFiles(knex: Knex, files: readonly FunctionFile[]): Promise<PendingFile[]> {
  const migration = (await knex.schema.hasTable('migrations'))
    ? await knex('migrations').max<{ name: string | null }>('name as name').first()
    : undefined;
  const applied = (await knex.schema.hasTable('migrations_functions'))
    ? await knex<{ file: string; version: string }>('migrations_functions').select('file', 'version')
    : [];
  const versions = new Map(applied.map(({ file, version }) => [file, version]));
  return files
    .map(({ name, text }) => ({ name, text, version: versionOf(text, migration?.name ?? '') }))
    .filter(({ name, version }) => versions.get(name) !== version);
}

function versionOf(text: string, migration: string): string {
  return createHash('sha256').update(migration).update('\0').update(text).digest('hex');
}

export async function applyFunctionFiles(trx: Knex.Transaction, files: readonly FunctionFile[]): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await trx.transaction((savepoint) => tryFunctionFiles(savepoint, files));
    } catch (error) {
      if (attempt === 60 || !isLockConflict(error)) throw error;
      await delay(500);
    }
  }
}

/** One attempt, for a transaction whose other locks must not be held while waiting. */
export async function tryFunctionFiles(trx: Knex.Transaction, files: readonly FunctionFile[]): Promise<string[]> {
  const pending = await pendingFunctionFiles(trx, files);
  if (pending.length > 0) await replaceFunctions(trx, files, pending);
  return pending.map(({ name }) => name);
}

/** Replacing a trigger waits for writers. A timeout below `deadlock_timeout` (1 s) avoids deadlocks with running requests. */
async function replaceFunctions(
  trx: Knex.Transaction,
  files: readonly FunctionFile[],
  pending: readonly PendingFile[],
): Promise<void> {
  await trx.raw(`SET LOCAL lock_timeout = '500ms'`);
  await trx.raw('CREATE TABLE IF NOT EXISTS migrations_functions (file text PRIMARY KEY, version text NOT NULL)');
  for (const { text } of pending) await trx.raw(text.replaceAll('?', '\\?')); // Knex treats ? as a binding
  const applied = pending.map(({ name, version }) => ({ file: name, version }));
  await trx('migrations_functions').insert(applied).onConflict('file').merge();
  await trx('migrations_functions')
    .whereNotIn(
      'file',
      files.map(({ name }) => name),
    )
    .del();
}

/** A reverted migration may drop or replace functions: makes all files pending. */
export async function clearAppliedFunctions(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_functions')) await knex('migrations_functions').del();
}

export async function dropFunctions(knex: Knex, files: readonly FunctionFile[]): Promise<void> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name]) => name),
  );
  await knex.raw(`DROP FUNCTION IF EXISTS ${names.join(', ')}`);
}
