import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isLockConflict } from '../errors.ts';
import { forgetAppliedFunctions, readFunctionFiles, tryFunctionFiles } from '../schema/functions.ts';
import { withMigrationLock } from '../schema/migrations.ts';
import { readDefinition, rows } from './definition.ts';
import {
  cancelStatements,
  compareStatement,
  copyStatement,
  createStatements,
  draft,
  lockTimeout,
  progress,
  replaceStatements,
} from './statements.ts';

/** Partitions, unless an unfinished copy or the options have another number. */
const defaultParts = 16;

/** What an operator can change; the message says how. */
export class PartitioningError extends Error {
  override readonly name = 'PartitioningError';
}

type Options = {
  parts?: number | undefined;
  /** Records of one transaction, which are locked while it lasts. */
  chunk: number;
  say: (line: string) => void;
};

/**
 * Replaces `study_sessions` by a table of the same name that is partitioned by the hash of the user. Requests go on
 * meanwhile and wait for the last step only. Interrupted at any moment it continues where it was.
 */
export async function partitionSessions(knex: Knex, { parts, chunk, say }: Options): Promise<void> {
  if (await isPartitioned(knex)) return say('study_sessions is partitioned already.');
  await createDraft(knex, parts, say);
  await copyAll(knex, chunk, say);
  say('comparing both tables');
  const [compared] = await inShortTransaction(knex, async (trx) => {
    await trx.raw(`ANALYZE ${draft}`);
    return rows<{ equal: boolean }>(trx, compareStatement);
  });
  if (compared?.equal !== true)
    throw new PartitioningError(
      'The copy differs from study_sessions. Nothing was replaced. Remove the copy with --cancel.',
    );
  await withMigrationLock(knex, async (trx) => {
    const definition = await readDefinition(trx);
    await inShortTransaction(trx, async (savepoint) => {
      for (const statement of replaceStatements(definition)) await savepoint.raw(statement);
      await forgetAppliedFunctions(savepoint);
      await tryFunctionFiles(savepoint, await readFunctionFiles());
    });
  });
  say('study_sessions is partitioned.');
}

/** Removes an unfinished copy. */
export async function cancelPartitioning(knex: Knex): Promise<void> {
  await inShortTransaction(knex, async (trx) => {
    for (const statement of cancelStatements) await trx.raw(statement);
  });
}

async function isPartitioned(knex: Knex): Promise<boolean> {
  const [table] = await rows<{ relkind: string }>(
    knex,
    `SELECT relkind FROM pg_class WHERE oid = 'study_sessions'::regclass`,
  );
  return table?.relkind === 'p';
}

/** Creates the table for the copy, or continues with the one that an interrupted run has created. */
async function createDraft(knex: Knex, parts: number | undefined, say: Options['say']): Promise<void> {
  if (await knex.schema.hasTable(progress)) {
    const [draftParts] = await rows<{ count: number }>(
      knex,
      `SELECT count(*)::integer AS count FROM pg_inherits WHERE inhparent = '${draft}'::regclass`,
    );
    const count = draftParts?.count ?? 0;
    if (parts !== undefined && parts !== count)
      throw new PartitioningError(
        `An unfinished copy has ${count} partitions, not ${parts}. Continue it without --parts, or remove it with --cancel.`,
      );
    return say(`continuing an unfinished copy with ${count} partitions`);
  }
  const created = parts ?? defaultParts;
  await inShortTransaction(knex, async (trx) => {
    for (const statement of createStatements(await readDefinition(trx), created)) await trx.raw(statement);
  });
  say(`created ${created} partitions; from now on writes go to both tables`);
}

async function copyAll(knex: Knex, chunk: number, say: Options['say']): Promise<void> {
  const [table] = await rows<{ largest: number }>(knex, 'SELECT max(id) AS largest FROM study_sessions');
  const percentOf = (id: number) => Math.min(100, Math.floor((100 * id) / (table?.largest ?? id)));
  let said = 0;
  for (;;) {
    const copied = await inShortTransaction(knex, async (trx) => {
      const { columns } = await readDefinition(trx);
      const [done] = await rows<{ copied_up_to: number }>(trx, copyStatement(columns, chunk));
      return done;
    });
    if (copied === undefined) return;
    const percent = percentOf(copied.copied_up_to);
    if (percent > said) say(`${percent} % copied, up to record ${copied.copied_up_to}`);
    said = percent;
  }
}

/** A transaction with a short lock timeout, which is retried when it expires. */
async function inShortTransaction<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await knex.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = '${lockTimeout}'; SET LOCAL statement_timeout = 0`);
        return work(trx);
      });
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (attempt === 600)
        throw new PartitioningError('Other transactions keep the tables locked. Run the command again: it continues.');
      await delay(100 + 400 * Math.random());
    }
  }
}
