import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { FairQueue } from '../../../lib/fair-queue.ts';
import { assertNotStopping, type Lifecycle } from '../../../lib/jobs.ts';
import { AppError, ConflictError, NotFoundError, UnavailableError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { Awards } from '../achievements/award-kind.ts';
import type { OverdueTimers } from '../study-sessions/overdue-timers.ts';
import { type ImportCheck, type ImportRequest, rowsError } from './import-check.ts';
import type { ImportFailure, ImportReport, ImportRow } from './import-repository.ts';
import * as imports from './import-repository.ts';
import type { ImportRecovery, ImportWriter, Written } from './import-writer.ts';

const heartbeatSeconds = 10;
/** Of the time of a shutdown, the part in which a stopped import is undone; what then remains is left to the next start. */
const undoShare = 0.5;

export type ImportServiceOptions = {
  store: Db;
  clock: Clock;
  lifecycle: Lifecycle;
  shutdownSeconds: number;
  awards: Awards;
  overdue: OverdueTimers;
  queue: FairQueue;
  check: ImportCheck;
  writer: ImportWriter;
  recovery: ImportRecovery;
};

export type ImportResult = ImportReport & { import_id: number; imported: number };

export function createImportService(options: ImportServiceOptions) {
  const { store, clock, lifecycle, shutdownSeconds, awards, overdue, queue, check, writer, recovery } = options;
  const goOn = () => assertNotStopping(lifecycle);

  async function requireNoneRunning(actor: Actor): Promise<void> {
    const running = await imports.findUnfinished(store, actor.id);
    if (running !== undefined && !(await recovery.undoLapsed(running)))
      throw new ConflictError('CONFLICT', 'import_running');
  }

  async function begin(actor: Actor, dryRun: boolean): Promise<number> {
    await requireNoneRunning(actor);
    const id = await store.transaction(actor.context, (tx) => imports.insert(tx, actor.id, dryRun, clock()));
    if (id === undefined) throw new ConflictError('CONFLICT', 'import_running');
    return id;
  }

  /** Other processes do not take over an import that is renewed. */
  function startHeartbeat(id: number): NodeJS.Timeout {
    const renew = () => imports.renew(store, id, clock()).catch(() => undefined); // the next one may succeed
    return setInterval(() => void renew(), heartbeatSeconds * 1000).unref();
  }

  async function run(id: number, actor: Actor, request: ImportRequest): Promise<ImportResult> {
    const report = await check(id, actor, request);
    await store.transaction(actor.context, (tx) => imports.saveReport(tx, id, report)); // verifies the rights once more
    const { dry_run: dryRun } = request.options;
    let imported = 0;
    let reached: Written['reached'] = [];
    if (!dryRun) {
      if (report.errors.length > 0) throw rowsError(report.errors);
      if (!(await imports.startWriting(store, id, report.valid))) throw new UnavailableError();
      ({ sessions: imported, reached } = await writer.write(id, actor, request.options, goOn));
      // Rows overlapping sessions recorded after the check.
      report.skipped += report.valid - imported;
    }
    const ending = { state: 'done', from: dryRun ? 'checking' : 'writing', now: clock() } as const;
    const end = async (tx: Tx) => {
      const projects = await imports.listProjects(tx, id);
      if (projects.length > 0) {
        const project_ids = projects.map((project) => project.id);
        await awards.enqueue(tx, { user_id: actor.id, project_ids }, { sender: actor.id });
        tx.record({ type: 'session.imported', import_id: id, user_id: actor.id, sessions: imported, projects });
      }
      if (report.valid > imported) await imports.saveReport(tx, id, report);
      return imports.finish(tx, id, ending);
    };
    if (!(await writer.conclude(actor, reached, end, goOn))) throw new UnavailableError();
    return { import_id: id, ...report, imported };
  }

  async function get(actor: Actor, id: number): Promise<ImportRow> {
    const found = await imports.find(store, id, actor.id);
    if (found === undefined) throw new NotFoundError('import_not_found');
    return found;
  }

  /** Undoes a failed import; the recovery repeats what fails here, or takes longer than a shutdown. */
  async function abort(id: number, userId: number, error: unknown): Promise<void> {
    const failure = failureOf(error);
    const until = performance.now() + shutdownSeconds * undoShare * 1000;
    const undoing = () => {
      if (performance.now() > until) goOn();
    };
    try {
      await imports.finish(store, id, { state: 'failed', from: 'checking', now: clock() }, failure);
      if (!(await imports.startUndo(store, id, failure))) return;
      await writer.undo(id, userId, undoing);
      await imports.finish(store, id, { state: 'undone', from: 'undoing', now: clock() });
    } catch {
      // Report the first error instead.
      if (lifecycle.draining) await recovery.release(id).catch(() => undefined);
    }
  }

  return {
    /** Throws ConflictError while the actor has an unfinished import. */
    requireNoneRunning,

    /**
     * Checks a file and, unless it is a dry run, imports it. Throws ValidationError for an unknown format and, unless
     * it is a dry run, for any row that the options do not leave out; then nothing is imported. Existing sessions are
     * not changed.
     */
    async import(actor: Actor, request: ImportRequest): Promise<ImportResult> {
      await overdue.end(actor.id);
      const id = await begin(actor, request.options.dry_run);
      const timer = startHeartbeat(id);
      try {
        return await queue.run(`user ${actor.id}`, () => run(id, actor, request));
      } catch (error) {
        await abort(id, actor.id, error);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    get,

    /**
     * Deletes the records of a finished import that nobody has edited, and its projects without others. Returns the number of
     * deleted records. If it is interrupted, the recovery completes it.
     */
    async undo(actor: Actor, id: number): Promise<{ deleted: number; kept: number }> {
      await requireNoneRunning(actor);
      const { imported } = await get(actor, id);
      const isReopened = await store.transaction(actor.context, (tx) => imports.reopen(tx, id, clock()));
      if (!isReopened) throw new ConflictError('CONFLICT', 'import_not_done');
      const timer = startHeartbeat(id);
      try {
        const deleted = await queue.run(`user ${actor.id}`, () => writer.undo(id, actor.id, goOn));
        await imports.finish(store, id, { state: 'undone', from: 'undoing', now: clock() });
        return { deleted, kept: imported - deleted };
      } catch (error) {
        if (lifecycle.draining) await recovery.release(id).catch(() => undefined);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    list: (actor: Actor) => imports.list(store, actor.id),
  };
}

export type ImportService = ReturnType<typeof createImportService>;

function failureOf(error: unknown): ImportFailure {
  if (error instanceof AppError) return { code: error.code, text: error.text, details: error.details };
  return { code: 'INTERNAL_ERROR', text: { key: 'import_interrupted' }, details: [] };
}
