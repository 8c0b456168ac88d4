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

/** Files whose text changed; all of them after a migration, which may have replaced a function or dropped a trigger. */
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

/** Applies the pending files, all or none, in the given transaction, which holds the migration lock. Returns their names. */
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

/** The same with one attempt, for a transaction whose own locks must not be held while this waits for another. */
export async function tryFunctionFiles(trx: Knex.Transaction, files: readonly FunctionFile[]): Promise<string[]> {
  const pending = await pendingFunctionFiles(trx, files);
  if (pending.length > 0) await replaceFunctions(trx, files, pending);
  return pending.map(({ name }) => name);
}

/**
 * Replacing a trigger waits for the writers of its table. Giving up before `deadlock_timeout` (one second) keeps this
 * from deadlocking with the requests of processes that are still serving.
 */
async function replaceFunctions(
  trx: Knex.Transaction,
  files: readonly FunctionFile[],
  pending: readonly PendingFile[],
): Promise<void> {
  await trx.raw(`SET LOCAL lock_timeout = '500ms'`);
  await trx.raw('CREATE TABLE IF NOT EXISTS migrations_functions (file text PRIMARY KEY, version text NOT NULL)');
  for (const { text } of pending) await trx.raw(text.replaceAll('?', '\\?')); // Knex takes a bare one for a binding
  const applied = pending.map(({ name, version }) => ({ file: name, version }));
  await trx('migrations_functions').insert(applied).onConflict('file').merge();
  await trx('migrations_functions')
    .whereNotIn(
      'file',
      files.map(({ name }) => name),
    )
    .del();
}

/** For a migration that is to be undone: it may drop or replace functions, so all files are pending afterwards. */
export async function forgetAppliedFunctions(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('migrations_functions')) await knex('migrations_functions').del();
}

/** Drops the functions that no migration created, and so none drops. Their triggers are gone with their tables. */
export async function dropFunctions(knex: Knex, files: readonly FunctionFile[]): Promise<void> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name]) => name),
  );
  await knex.raw(`DROP FUNCTION IF EXISTS ${names.join(', ')}`);
}
