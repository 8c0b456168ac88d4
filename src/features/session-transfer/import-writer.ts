import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { isLockConflict } from '../../db/errors.ts';
import { UnavailableError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import { asError, refusal } from './import-check.ts';
import { createImportChunkRepository, type WrittenRow } from './import-chunk-repository.ts';
import { createImportRepository } from './import-repository.ts';

/** Rows of one transaction: others wait for a project, or for the user, no longer than it lasts. */
const chunkRows = 100;
/** Milliseconds that a chunk waits for a lock, and so keeps its connection from others; then it is tried again. */
const lockTimeout = 2_000;
const attempts = 10;
const pause = 100;

/** Writes the checked rows of an import to the records, chunk by chunk, and takes them out again. */
export function createImportWriter({ database, clock }: { database: Database; clock: Clock }) {
  /** Writes the rows that follow `after`; says which was the last, or undefined when there are none left. */
  const writeNext = (importId: number, actor: Actor, after: number) =>
    database.transaction(async (tx) => {
      const chunk = createImportChunkRepository(tx, importId);
      await chunk.lockUser(actor.id, lockTimeout);
      const next = await chunk.lockNext(after, chunkRows);
      if (next === undefined) return undefined;
      const written = await chunk.write(actor, { after, last: next.last_row, now: clock() });
      const problems = problemsOf(written);
      if (problems.length > 0) throw refusal(problems.map(asError));
      const records = written.filter(({ added }) => added).length;
      const progress = { rows: next.number, records };
      if (!(await createImportRepository(tx).advance(importId, progress, clock()))) throw new UnavailableError();
      return { last: next.last_row, records };
    }, actor.act);

  const undoNext = (importId: number, userId: number) =>
    database.transaction(async (tx) => {
      const chunk = createImportChunkRepository(tx, importId);
      await chunk.lockUser(userId, lockTimeout);
      const records = await chunk.deleteSome(chunkRows);
      await createImportRepository(tx).retreat(importId, records, clock());
      return records;
    });

  return {
    /**
     * Writes all rows; says how many records that made. Throws ValidationError when a row cannot be written any more, and
     * whatever takes the actor's rights away; what was written until then is to be undone.
     */
    async write(importId: number, actor: Actor): Promise<number> {
      let records = 0;
      for (let after = 0; ; ) {
        const written = await patiently(() => writeNext(importId, actor, after));
        if (written === undefined) return records;
        records += written.records;
        after = written.last;
      }
    },

    /** Deletes the records that were written. It is the service that does it, whatever became of the user. */
    async undo(importId: number, userId: number): Promise<void> {
      while ((await patiently(() => undoNext(importId, userId))) > 0);
    },
  };
}

export type ImportWriter = ReturnType<typeof createImportWriter>;

/** Rows that cannot be written. When none is wrong, those that are missing met a record that was saved at this moment. */
function problemsOf(rows: readonly WrittenRow[]) {
  const wrong = rows.flatMap(({ row, problem }) =>
    problem === null || problem === 'import_duplicate' ? [] : [{ row, problem }],
  );
  if (wrong.length > 0) return wrong;
  return rows.flatMap(({ row, problem, added }) =>
    problem === null && !added ? [{ row, problem: 'import_overlap' as const }] : [],
  );
}

/** Tries again while others hold what it needs; between two attempts it holds nothing. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isLockConflict(error)) throw error;
      await delay(pause);
    }
  }
}
