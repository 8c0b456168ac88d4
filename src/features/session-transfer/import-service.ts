import type { Database } from '../../db/database.ts';
import { translateDatabaseError } from '../../db/errors.ts';
import { AppError, ConflictError, NotFoundError, UnavailableError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FairQueue } from '../../lib/fair-queue.ts';
import type { Actor } from '../auth/identity.ts';
import type { OverdueTimers } from '../study-sessions/overdue-timers.ts';
import { type ImportCheck, type ImportOrder, refusal } from './import-check.ts';
import type { ImportRecovery } from './import-recovery.ts';
import { createImportRepository, type ImportFailure, type ImportReport, type ImportRow } from './import-repository.ts';
import type { ImportWriter } from './import-writer.ts';

/** Seconds between two signs of life. */
const renewal = 10;

export type ImportServiceOptions = {
  database: Database;
  clock: Clock;
  overdue: OverdueTimers;
  queue: FairQueue;
  check: ImportCheck;
  writer: ImportWriter;
  recovery: ImportRecovery;
};

export type ImportResult = ImportReport & { import_id: number; imported: number };

/** Takes in a file of records: all of them, or none that stay. */
export function createImportService(options: ImportServiceOptions) {
  const { database, clock, overdue, queue, check, writer, recovery } = options;
  const imports = createImportRepository(database);

  async function requireNoneRunning(actor: Actor): Promise<void> {
    const running = await imports.findRunning(actor.id);
    if (running !== undefined && !(await recovery.undoLapsed(running)))
      throw new ConflictError('CONFLICT', 'import_running');
  }

  async function begin(actor: Actor, dryRun: boolean): Promise<number> {
    await requireNoneRunning(actor);
    const id = await database.transaction(
      (tx) => createImportRepository(tx).insert(actor.id, dryRun, clock()),
      actor.act,
    );
    if (id === undefined) throw new ConflictError('CONFLICT', 'import_running');
    return id;
  }

  /** Other processes leave an import alone while it is renewed. */
  function keepRenewing(id: number): NodeJS.Timeout {
    const renew = () => imports.renew(id, clock()).catch(() => undefined); // the next one may get through
    return setInterval(() => void renew(), renewal * 1000).unref();
  }

  async function run(id: number, actor: Actor, order: ImportOrder): Promise<ImportResult> {
    const report = await check(id, actor, order);
    await imports.saveReport(id, report);
    let imported = 0;
    if (!order.dryRun) {
      if (report.errors.length > 0) throw refusal(report.errors);
      if (!(await imports.startWriting(id, report.valid))) throw new UnavailableError();
      imported = await writer.write(id, actor);
    }
    const ending = { state: 'done', from: order.dryRun ? 'checking' : 'writing', now: clock() } as const;
    const isFinished = await database.transaction((tx) => createImportRepository(tx).finish(id, ending), actor.act);
    if (!isFinished) throw new UnavailableError();
    return { import_id: id, ...report, imported };
  }

  /** Leaves nothing of a failed import. What cannot be undone now, the recovery undoes later. */
  async function abandon(id: number, userId: number, error: unknown): Promise<void> {
    const failure = failureOf(error);
    try {
      await imports.finish(id, { state: 'failed', from: 'checking', now: clock() }, failure);
      if (!(await imports.startUndo(id, failure))) return;
      await writer.undo(id, userId);
      await imports.finish(id, { state: 'undone', from: 'undoing', now: clock() });
    } catch {
      // The caller gets the error that came first.
    }
  }

  return {
    /** Throws ConflictError while the actor has an import that is not finished. */
    requireNoneRunning,

    /**
     * Says what a file holds and, unless it is a dry run, saves it. Throws ValidationError when it is no such file or,
     * unless dry, when anything in it is wrong; then nothing of it stays. What is there already is left alone.
     */
    async import(actor: Actor, order: ImportOrder): Promise<ImportResult> {
      await overdue.end(actor.id);
      const id = await begin(actor, order.dryRun);
      const timer = keepRenewing(id);
      try {
        return await queue.run(`user ${actor.id}`, () => run(id, actor, order));
      } catch (error) {
        await abandon(id, actor.id, error);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    async get(actor: Actor, id: number): Promise<ImportRow> {
      const found = await imports.find(id, actor.id);
      if (found === undefined) throw new NotFoundError('import_not_found');
      return found;
    },

    /** The newest of the actor's own. */
    list: (actor: Actor) => imports.list(actor.id),
  };
}

export type ImportService = ReturnType<typeof createImportService>;

function failureOf(error: unknown): ImportFailure {
  const known = translateDatabaseError(error);
  if (known instanceof AppError) return { code: known.code, text: known.text, details: known.details };
  return { code: 'INTERNAL_ERROR', text: { key: 'import_interrupted' }, details: [] };
}
