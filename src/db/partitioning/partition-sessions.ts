import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isLockConflict } from '../errors.ts';
import { clearAppliedFunctions, readFunctionFiles, tryFunctionFiles } from '../schema/functions.ts';
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

const defaultParts = 16;

export class PartitioningError extends Error {
  override readonly name = 'PartitioningError';
}

type Options = {
  parts?: number | undefined;
  chunk: number;
  log: (line: string) => void;
};

/**
 * Replaces `study_sessions` with a table that is partitioned by the hash of the user. Requests are served meanwhile and wait for the
 * last step only. An interrupted run can be resumed.
 */
export async function partitionSessions(knex: Knex, { parts, chunk, log }: Options): Promise<void> {
  if (await isPartitioned(knex)) return log('study_sessions is already partitioned.');
  await createDraft(knex, parts, log);
  await copyAll(knex, chunk, log);
  log('comparing both tables');
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
      await clearAppliedFunctions(savepoint);
      await tryFunctionFiles(savepoint, await readFunctionFiles());
    });
  });
  log('study_sessions is partitioned.');
}

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

async function createDraft(knex: Knex, parts: number | undefined, log: Options['log']): Promise<void> {
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
    return log(`continuing an unfinished copy with ${count} partitions`);
  }
  const created = parts ?? defaultParts;
  await inShortTransaction(knex, async (trx) => {
    for (const statement of createStatements(await readDefinition(trx), created)) await trx.raw(statement);
  });
  log(`created ${created} partitions; from now on writes go to both tables`);
}

async function copyAll(knex: Knex, chunk: number, log: Options['log']): Promise<void> {
  const [table] = await rows<{ largest: number }>(knex, 'SELECT max(id) AS largest FROM study_sessions');
  const percentOf = (id: number) => Math.min(100, Math.floor((100 * id) / (table?.largest ?? id)));
  let logged = 0;
  for (;;) {
    const copied = await inShortTransaction(knex, async (trx) => {
      const { columns } = await readDefinition(trx);
      const [done] = await rows<{ copied_up_to: number }>(trx, copyStatement(columns, chunk));
      return done;
    });
    if (copied === undefined) return;
    const percent = percentOf(copied.copied_up_to);
    if (percent > logged) log(`${percent} % copied, up to record ${copied.copied_up_to}`);
    logged = percent;
  }
}

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
