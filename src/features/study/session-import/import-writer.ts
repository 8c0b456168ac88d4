import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../actor.ts';
import { isLockConflict } from '../../../db/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { assertNotStopping, type Lifecycle } from '../../../lib/jobs.ts';
import { UnavailableError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { findReached, recordStillReached } from '../achievements/award-service.ts';
import type { ReachedTarget } from '../achievements/target-repository.ts';
import { rowsError, toImportError, toleratedProblems } from './import-check.ts';
import type { ImportFailure } from './import-repository.ts';
import * as imports from './import-repository.ts';
import type { ImportOptions } from './import-status-schemas.ts';
import type { WrittenRow } from './rows/import-chunk-repository.ts';
import * as importChunks from './rows/import-chunk-repository.ts';
import type { RowProblem } from './rows/import-report-read-model.ts';

/** Rows per transaction: it limits how long other requests wait for a project or the user. */
const chunkRows = 100;
/** Milliseconds that a chunk waits for a lock while it holds a connection; then it is retried. */
const lockTimeout = 2_000;
const attempts = 10;
const pause = 100;

export type Written = { sessions: number; reached: readonly ReachedTarget[] };

/** Writes the checked rows of an import as sessions, in chunks, and can delete them again. */
export function createImportWriter({ store, clock }: { store: Db; clock: Clock }) {
  const writeNext = (importId: number, actor: Actor, after: number, tolerated: readonly string[]) =>
    store.transaction(actor.context, async (tx) => {
      await importChunks.lockUser(tx, actor.id, lockTimeout);
      const next = await importChunks.lockNext(tx, importId, after, chunkRows);
      if (next === undefined) return undefined;
      const chunk = { importId, after, last: next.last_row, now: clock(), tolerated };
      const write = () => importChunks.write(tx, actor, chunk);
      const { result: written, reached } = await findReached(tx, next.project_ids, write);
      const problems = problemsOf(written).filter(({ problem }) => !tolerated.includes(problem));
      if (problems.length > 0) throw rowsError(problems.map(toImportError));
      const sessions = written.filter((row) => row.is_added).length;
      if (!(await imports.advance(tx, importId, { rows: next.number, sessions }, clock())))
        throw new UnavailableError();
      return { last: next.last_row, sessions, reached };
    });

  const createProjects = (importId: number, actor: Actor) =>
    store.transaction(actor.context, async (tx) => {
      await importChunks.lockUser(tx, actor.id, lockTimeout);
      const created = await importChunks.createProjects(tx, actor.id, importId);
      tx.record(...created.map((project) => ({ type: 'project.created', project }) as const));
    });

  const deleteProjects = (importId: number, userId: number) =>
    store.asService(async (tx) => {
      await importChunks.lockUser(tx, userId, lockTimeout);
      const projects = await importChunks.deleteProjects(tx, importId);
      if (projects.length > 0) tx.record({ type: 'project.removed', projects });
    });

  const undoNext = (importId: number, userId: number) =>
    store.asService(async (tx) => {
      await importChunks.lockUser(tx, userId, lockTimeout);
      const deleted = await importChunks.deleteSome(tx, importId, chunkRows);
      if (deleted === undefined) return undefined;
      if (deleted.length > 0) tx.record({ type: 'session.deleted', sessions: deleted, announced: false });
      await imports.revert(tx, importId, deleted.length, clock());
      return deleted.length;
    });

  return {
    /**
     * Creates the missing projects, writes all rows and returns the number of inserted sessions, and the goals that they reached, to be
     * recorded when the import is finished. Throws ValidationError if a row has become invalid, and an error if the actor has lost their
     * rights or `goOn`, called before each chunk, throws one; the caller then undoes what was written.
     */
    async write(importId: number, actor: Actor, options: ImportOptions, goOn: () => void): Promise<Written> {
      const tolerated = toleratedProblems(options);
      if (options.create_projects) await withRetries(() => createProjects(importId, actor), goOn);
      let sessions = 0;
      const reached: ReachedTarget[] = [];
      for (let after = 0; ; ) {
        const written = await withRetries(() => writeNext(importId, actor, after, tolerated), goOn);
        if (written === undefined) return { sessions, reached };
        sessions += written.sessions;
        reached.push(...written.reached);
        after = written.last;
      }
    },

    /** Runs `end`, the last transaction of an import, and records the goals that it reached: one that is undone has reached none. */
    conclude: (actor: Actor, reached: readonly ReachedTarget[], end: (tx: Tx) => Promise<boolean>, goOn: () => void) =>
      withRetries(
        () =>
          store.transaction(actor.context, async (tx) => {
            if (reached.length > 0) {
              await importChunks.lockUser(tx, actor.id, lockTimeout);
              await importChunks.lockProjects(tx, [...new Set(reached.map((goal) => goal.project_id))]);
              await recordStillReached(tx, reached);
            }
            return end(tx);
          }),
        goOn,
      ),

    /**
     * Deletes the written sessions and projects that nobody has edited, as the service: independent of the rights of the
     * user. Returns the number of deleted sessions. When `goOn`, called before each chunk, throws, the recovery has to
     * complete it.
     */
    async undo(importId: number, userId: number, goOn: () => void): Promise<number> {
      let number = 0;
      for (;;) {
        const deleted = await withRetries(() => undoNext(importId, userId), goOn);
        if (deleted === undefined) break;
        number += deleted;
      }
      await withRetries(() => deleteProjects(importId, userId), goOn);
      return number;
    },
  };
}

export type ImportWriter = ReturnType<typeof createImportWriter>;

function problemsOf(rows: readonly WrittenRow[]): (RowProblem & { project?: string })[] {
  const wrong = rows.flatMap(({ row, problem, project }) =>
    problem === null || problem === 'import_duplicate' ? [] : [{ row, problem, project }],
  );
  if (wrong.length > 0) return wrong;
  return rows.flatMap(({ row, problem, is_added }) =>
    problem === null && !is_added ? [{ row, problem: 'import_overlap' as const }] : [],
  );
}

/** Retries on lock conflicts; no locks are held between attempts. */
async function withRetries<Result>(work: () => Promise<Result>, goOn: () => void): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    goOn();
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isLockConflict(error)) throw error;
      await delay(pause);
    }
  }
}

/** Seconds without a heartbeat after which the process of an import is considered dead. */
const lease = 60;
const retentionDays = 7;

const interrupted: ImportFailure = { code: 'SERVICE_UNAVAILABLE', text: { key: 'import_interrupted' }, details: [] };

export type ImportRecoveryOptions = { store: Db; clock: Clock; lifecycle: Lifecycle; writer: ImportWriter };

/** Undoes imports whose process has ended: no success was reported, and nobody could verify the rights of the actor. */
export function createImportRecovery({ store, clock, lifecycle, writer }: ImportRecoveryOptions) {
  const lapsed = () => new Date(clock().getTime() - lease * 1000);

  /** Another process, or the next start, takes the import over without waiting for the end of its lease. */
  const release = (id: number) => imports.renew(store, id, new Date(lapsed().getTime() - 1));

  /** Returns false if its process is alive or another one has taken the import over. */
  async function undoLapsed(id: number): Promise<boolean> {
    const found = await imports.takeOver(store, id, clock(), lapsed());
    if (found === undefined) return false;
    await imports.finish(store, id, { state: 'failed', from: 'checking', now: clock() }, interrupted);
    await imports.startUndo(store, id, interrupted);
    try {
      await writer.undo(id, found.user_id, () => assertNotStopping(lifecycle));
    } catch (error) {
      if (lifecycle.draining) await release(id);
      throw error;
    }
    await imports.finish(store, id, { state: 'undone', from: 'undoing', now: clock() });
    return true;
  }

  return {
    undoLapsed,
    release,

    async undoAllLapsed(): Promise<void> {
      const failures: unknown[] = [];
      for (const id of await imports.listLapsed(store, lapsed()))
        await undoLapsed(id).catch((error: unknown) => failures.push(error)); // one failure does not stop the others
      if (failures.length > 0) throw new AggregateError(failures, 'interrupted imports were not undone');
    },

    deleteOld: () => imports.deleteFinished(store, new Date(clock().getTime() - retentionDays * 86_400_000)),
  };
}

export type ImportRecovery = ReturnType<typeof createImportRecovery>;
