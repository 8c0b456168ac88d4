import type { Database, Transaction } from '../../db/database.ts';
import { ConflictError, type FieldError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Actor } from '../auth/identity.ts';
import { type DateOrder, dateOrderOf, formatOf } from './import-format.ts';
import { readCsvFile } from './import-reader.ts';
import { createImportRepository, type ImportSummary, type NumberedDraft } from './import-repository.ts';
import type { OverdueTimers } from './overdue-timers.ts';

const batchSize = 1000;
/** So many are described; the counts are of all. */
const describedErrors = 100;

export type ImportError = FieldError & { row: number };
export type ImportReport = ImportSummary & { rows: number; errors: ImportError[] };
export type ImportOrder = { path: string; dryRun: boolean; timeZone: string };
export type ImportServiceOptions = { database: Database; clock: Clock; overdue: OverdueTimers };

/** Takes in a file of records, all of them or none. */
export function createImportService({ database, clock, overdue }: ImportServiceOptions) {
  const slots = createSemaphore(2); // each holds a connection, and a core while it lasts

  /** Reads the file into the transaction's table. Nothing is locked yet, so a long file makes nobody wait. */
  async function load(tx: Transaction, actor: Actor, { path, timeZone }: ImportOrder) {
    const repository = createImportRepository(tx);
    if (!(await repository.knowsZone(timeZone))) throw ValidationError.of('time_zone', 'invalid_time_zone');
    await repository.createTable();
    const dateOrder = await findDateOrder(path);
    const errors: ImportError[] = [];
    let rows = 0;
    let batch: NumberedDraft[] = [];
    let format: ReturnType<typeof formatOf>;
    for await (const { row, cells } of readCsvFile(path)) {
      format ??= formatOf(cells);
      if (format === undefined) throw ValidationError.of('file', 'import_unknown_columns');
      rows += 1;
      const draft = format(cells, { userId: actor.id, timeZone, dateOrder });
      if (!Array.isArray(draft)) batch.push({ row, ...draft });
      else if (errors.length < describedErrors) errors.push(...draft.map((error) => ({ row, ...error })));
      if (batch.length < batchSize) continue;
      await repository.load(batch);
      batch = [];
    }
    if (batch.length > 0) await repository.load(batch);
    return { rows, errors };
  }

  async function run(tx: Transaction, actor: Actor, order: ImportOrder): Promise<ImportReport> {
    const repository = createImportRepository(tx);
    const { rows, errors } = await load(tx, actor, order);
    await repository.findProjects(actor);
    if (!order.dryRun) await repository.lock(actor.id);
    const summary = await repository.judge(actor.id, clock());
    const problems = (await repository.listProblems(describedErrors)).map(({ row, problem }) => ({
      row,
      field: fieldOf(problem),
      message: { key: problem },
    }));
    const described = [...errors, ...problems].sort((a, b) => a.row - b.row).slice(0, describedErrors);
    if (!order.dryRun) {
      if (described.length > 0) throw new ValidationError(described.map(asDetail));
      if ((await repository.insertAll(actor.id)) !== summary.valid)
        throw new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown');
    }
    return { rows, ...summary, errors: described };
  }

  return {
    /**
     * Says what a file holds and, unless it is a dry run, saves it. Throws ValidationError when it is no such file or,
     * unless dry, when anything in it is wrong; then nothing is saved. What is there already is left alone.
     */
    async import(actor: Actor, order: ImportOrder): Promise<ImportReport> {
      await overdue.end(actor.id);
      return slots.run(() => database.transaction((tx) => run(tx, actor, order)));
    },
  };
}

export type ImportService = ReturnType<typeof createImportService>;

/** Reads on until a date proves its order; the American one when none does. */
async function findDateOrder(path: string): Promise<DateOrder> {
  for await (const { cells } of readCsvFile(path)) {
    if (!cells['start date']?.includes('/')) break;
    const order = dateOrderOf(cells);
    if (order !== undefined) return order;
  }
  return 'month first';
}

function fieldOf(problem: string): string {
  if (problem.includes('project')) return 'project';
  return problem === 'session_too_early' || problem === 'import_overlap' ? 'started_at' : 'ended_at';
}

function asDetail({ row, field, message }: ImportError): FieldError {
  return { field: `rows[${row}].${field}`, message };
}
