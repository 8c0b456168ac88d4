import { type FieldError, UnavailableError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import type { TimeZones } from '../statistics/time-zones.ts';
import { type DateOrder, dateOrderOf, formatOf } from './file/import-format.ts';
import { readCsvFile } from './file/import-reader.ts';
import { toImportError, toImportNotice } from './import-entries.ts';
import type { ImportError, ImportReport } from './import-repository.ts';
import type { ImportOptions } from './import-schemas.ts';
import { rowProblems } from './rows/import-row-problem-sql.ts';
import type { NumberedDraft } from './rows/import-rows-repository.ts';

const batchSize = 500;
/** The maximum entries of each list in a report; its counts cover all rows. */
const maxEntries = 100;

const unknownTimeZone: FieldError = { field: 'time_zone', message: { key: 'invalid_time_zone' } };

/** The projects that one file may create. */
const maxCreatedProjects = 200;
const dateOrders = { day_first: 'day first', month_first: 'month first' } as const;

export type ImportRequest = { path: string; options: ImportOptions };

/** The problems that exclude a row from the import; any other rejects the file. */
export function toleratedProblems({ on_overlap, skip_invalid }: ImportOptions): readonly string[] {
  return rowProblems.filter((problem) => {
    if (problem === 'import_overlap') return on_overlap !== 'reject';
    return problem === 'import_duplicate' || skip_invalid;
  });
}

export type ImportCheckOptions = { store: Store; timeZones: TimeZones; clock: Clock };

/** Stages the rows of a file and reports on them. Locks nothing, and holds a connection only for short statements. */
export function createImportCheck({ store, timeZones, clock }: ImportCheckOptions) {
  async function stage(importId: number, actor: Actor, { path, options }: ImportRequest) {
    const { time_zone: timeZone = actor.timezone, date_order } = options;
    await timeZones.require(timeZone, 'time_zone');
    const dateOrder = date_order === 'auto' ? await findDateOrder(path) : dateOrders[date_order];
    const errors: ImportError[] = [];
    let rows = 0;
    let invalid = 0;
    let batch: NumberedDraft[] = [];
    const flush = async () => {
      const staging = { importId, drafts: batch, read: rows, now: clock() };
      if (!(await store.importRows.stage(staging))) throw new UnavailableError();
      batch = [];
    };
    let format: ReturnType<typeof formatOf>;
    for await (const { row, cells } of readCsvFile(path)) {
      format ??= formatOf(cells);
      if (format === undefined) throw ValidationError.of('file', 'import_unknown_columns');
      rows += 1;
      const parsed = format(cells, { userId: actor.id, timeZone, dateOrder });
      const isUnknown = !Array.isArray(parsed) && !(await timeZones.knows(parsed.time_zone));
      const draft = isUnknown ? [unknownTimeZone] : parsed;
      if (Array.isArray(draft)) {
        invalid += 1;
        if (errors.length < maxEntries) errors.push(...draft.map((error) => ({ row, ...error })));
      } else batch.push({ row, ...draft });
      if (batch.length === batchSize) await flush();
    }
    await flush();
    return { rows, invalid, errors };
  }

  async function report(
    { importReports }: TransactionStore,
    importId: number,
    { options }: ImportRequest,
    file: Awaited<ReturnType<typeof stage>>,
  ): Promise<ImportReport> {
    const { on_overlap, skip_invalid, dry_run } = options;
    const counts = await importReports.count(importId);
    if (counts.created_projects > maxCreatedProjects)
      throw ValidationError.of('create_projects', 'import_too_many_projects', { maximum: maxCreatedProjects });
    const tolerated = toleratedProblems(options);
    const rejecting = rowProblems.filter((problem) => !tolerated.includes(problem));
    const noticeable = tolerated.filter((problem) => problem !== 'import_duplicate');
    const rejected = await importReports.listEntries(importId, rejecting, false, maxEntries);
    const noticed = await importReports.listEntries(importId, noticeable, true, maxEntries);
    const leftOut = file.errors.map((error) => ({ ...error, action: 'left_out' as const }));
    return {
      ...counts,
      rows: file.rows,
      invalid: counts.invalid + file.invalid,
      skipped: on_overlap === 'reject' ? 0 : counts.overlaps,
      errors: firstOf([...(skip_invalid ? [] : file.errors), ...rejected.map(toImportError)]),
      notices: firstOf([...(skip_invalid ? leftOut : []), ...noticed.map(toImportNotice)]),
      projects: await importReports.listProjects(importId, maxEntries),
      sessions: dry_run ? await importReports.listSessions(importId, maxEntries) : [],
    };
  }

  return async function check(importId: number, actor: Actor, request: ImportRequest): Promise<ImportReport> {
    const file = await stage(importId, actor, request);
    await store.importRows.analyze();
    const { create_projects: create, on_overlap } = request.options;
    return store.transaction(async (tx) => {
      await tx.importRows.check(actor, importId, { now: clock(), create, trim: on_overlap === 'trim' });
      return report(tx, importId, request, file);
    }, actor.act);
  };
}

export type ImportCheck = ReturnType<typeof createImportCheck>;

/** Reads until a date reveals the order of day and month; otherwise the American order. */
async function findDateOrder(path: string): Promise<DateOrder> {
  for await (const { cells } of readCsvFile(path)) {
    const date = cells['start date'];
    if (date === undefined || /^\d{4}/.test(date)) break; // not a report, or year first
    const order = dateOrderOf(cells);
    if (order !== undefined) return order;
  }
  return 'month first';
}

function firstOf<Entry extends ImportError>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.row - b.row).slice(0, maxEntries);
}
