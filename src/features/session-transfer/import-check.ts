import type { Database } from '../../db/database.ts';
import { UnavailableError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import { type DateOrder, dateOrderOf, formatOf } from './import-format.ts';
import { readCsvFile } from './import-reader.ts';
import type { ImportError, ImportReport } from './import-repository.ts';
import { createImportRowsRepository, type NumberedDraft, type RowProblem } from './import-rows-repository.ts';

const batchSize = 500;
/** So many rows are described; the counts are of all. */
const describedErrors = 100;
/** Fewer rows than these are compared each with each in no time, whatever the planner takes them for. */
const worthAnalysing = 500;

export type ImportOrder = { path: string; dryRun: boolean; timeZone: string };

/** Reads a file into rows of the database and says what is in it. Locks nothing, and needs a connection for moments only. */
export function createImportCheck({ database, clock }: { database: Database; clock: Clock }) {
  async function stage(importId: number, actor: Actor, { path, timeZone }: ImportOrder) {
    const repository = createImportRowsRepository(database, importId);
    if (!(await repository.knowsZone(timeZone))) throw ValidationError.of('time_zone', 'invalid_time_zone');
    const dateOrder = await findDateOrder(path);
    const errors: ImportError[] = [];
    let rows = 0;
    let batch: NumberedDraft[] = [];
    const flush = async () => {
      if (!(await repository.stage(batch, rows, clock()))) throw new UnavailableError();
      batch = [];
    };
    let format: ReturnType<typeof formatOf>;
    for await (const { row, cells } of readCsvFile(path)) {
      format ??= formatOf(cells);
      if (format === undefined) throw ValidationError.of('file', 'import_unknown_columns');
      rows += 1;
      const draft = format(cells, { userId: actor.id, timeZone, dateOrder });
      if (!Array.isArray(draft)) batch.push({ row, ...draft });
      else if (errors.length < describedErrors) errors.push(...draft.map((error) => ({ row, ...error })));
      if (batch.length === batchSize) await flush();
    }
    await flush();
    return { rows, errors };
  }

  return async function check(importId: number, actor: Actor, order: ImportOrder): Promise<ImportReport> {
    const { rows, errors } = await stage(importId, actor, order);
    if (rows > worthAnalysing) await createImportRowsRepository(database, importId).analyse();
    return database.transaction(async (tx) => {
      const repository = createImportRowsRepository(tx, importId);
      const summary = await repository.judge(actor, clock());
      const problems = (await repository.listProblems(describedErrors)).map(asError);
      const described = [...errors, ...problems].sort((a, b) => a.row - b.row).slice(0, describedErrors);
      return { rows, ...summary, errors: described };
    }, actor.act);
  };
}

export type ImportCheck = ReturnType<typeof createImportCheck>;

/** Reads on until a date proves its order; the American one when none does. */
async function findDateOrder(path: string): Promise<DateOrder> {
  for await (const { cells } of readCsvFile(path)) {
    if (!cells['start date']?.includes('/')) break;
    const order = dateOrderOf(cells);
    if (order !== undefined) return order;
  }
  return 'month first';
}

export function asError({ row, problem }: RowProblem): ImportError {
  return { row, field: fieldOf(problem), message: { key: problem } };
}

function fieldOf(problem: string): string {
  if (problem.includes('project')) return 'project';
  return problem === 'session_too_early' || problem === 'import_overlap' ? 'started_at' : 'ended_at';
}

/** The rows that are wrong, as the details of a refusal. */
export function refusal(errors: readonly ImportError[]): ValidationError {
  return new ValidationError(errors.map(({ row, field, message }) => ({ field: `rows[${row}].${field}`, message })));
}
