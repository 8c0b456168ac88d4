import type { Actor } from '../../../actor.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import type { Clock } from '../../../lib/clock.ts';
import { assertNotStopping, type Lifecycle } from '../../../lib/jobs.ts';
import { type FieldError, UnavailableError, ValidationError } from '../../../texts/errors.ts';
import type { Message } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { maxSessions } from '../study-sessions/session-sql.ts';
import { maxTags } from '../tags/tag-fields.ts';
import { inspectFile, readRows } from './file/file-reading.ts';
import type { ImportError, ImportNotice, ImportReport } from './import-repository.ts';
import type { ImportOptions } from './import-status-schemas.ts';
import * as importReports from './rows/import-report-read-model.ts';
import { type ImportEntry, type RowProblem, rowProblems } from './rows/import-report-read-model.ts';
import type { NumberedDraft } from './rows/import-rows-repository.ts';
import * as importRows from './rows/import-rows-repository.ts';
import type { OverlapMode } from './rows/overlap-resolution.ts';
import { checkRows } from './rows/row-checks.ts';

type Problem = Pick<ImportEntry, 'row' | 'problem'> & Partial<ImportEntry>;

/** A null problem: the row begins later. */
export function toImportError(entry: Problem): ImportError {
  const { row, other_row: other, other_session_id: session } = entry;
  const problem = entry.problem ?? 'import_overlap';
  return {
    row,
    field: fieldOf(problem),
    message: overlapOf(other, session) ?? messageOf(problem, entry.project ?? ''),
    ...(other != null && { other_row: other }),
    ...(session != null && { session_id: session }),
  };
}

/** A row that is left out or begins later. */
function toImportNotice(entry: ImportEntry, mode: OverlapMode): ImportNotice {
  const { problem, started_at } = entry;
  const error = toImportError(entry);
  if (problem === null) return { ...error, action: mode === 'stack' ? 'moved' : 'trimmed', started_at };
  return { ...error, action: problem === 'import_overlap' ? 'skipped' : 'left_out' };
}

export function rowsError(errors: readonly ImportError[]): ValidationError {
  return new ValidationError(errors.map(({ row, field, message }) => ({ field: `rows[${row}].${field}`, message })));
}

function overlapOf(row: number | null | undefined, session: number | null | undefined): Message | undefined {
  if (session != null) return { key: 'import_overlap_record', params: { id: session } };
  return row == null ? undefined : { key: 'import_overlap_row', params: { row } };
}

function messageOf(key: RowProblem['problem'], found: string): Message {
  return key === 'import_project_unknown' || key === 'import_project_ambiguous' ? { key, params: { found } } : { key };
}

function fieldOf(problem: string): string {
  if (problem.includes('project')) return 'project';
  return problem === 'session_too_early' || problem === 'import_overlap' ? 'started_at' : 'ended_at';
}

const batchSize = 500;
/** The maximum entries of each list in a report; its counts cover all rows. */
const maxEntries = 100;

const unknownTimeZone: FieldError = { field: 'time_zone', message: { key: 'invalid_time_zone' } };

/** The projects that one file may create. */
const maxCreatedProjects = 200;

export type ImportRequest = { path: string; options: ImportOptions };

/** The problems that exclude a row from the import; any other rejects the file. */
export function toleratedProblems({ on_overlap, skip_invalid }: ImportOptions): readonly string[] {
  return rowProblems.filter((problem) => {
    if (problem === 'import_overlap') return on_overlap !== 'reject';
    return problem === 'import_duplicate' || skip_invalid;
  });
}

export type ImportCheckOptions = { store: Db; timeZones: TimeZones; clock: Clock; lifecycle: Lifecycle };

/**
 * Stages the rows of a file, checks them and reports on them, without a transaction: each statement is about a bounded number of
 * rows. The caller verifies the user's rights before it stores the report or writes the rows.
 */
export function createImportCheck({ store, timeZones, clock, lifecycle }: ImportCheckOptions) {
  const goOn = () => assertNotStopping(lifecycle);

  async function stage(importId: number, actor: Actor, { path, options }: ImportRequest) {
    const { time_zone: zone = actor.timezone } = options;
    await timeZones.require(zone, 'time_zone');
    const rules = await timeZones.rulesOf(zone);
    const facts = await inspectFile(path, options, clock());
    const person = await importRows.readPerson(store, actor.id);
    const errors: ImportError[] = [];
    const notices: ImportNotice[] = [];
    let lastRow = 0;
    const counts = { rows: 0, invalid: 0, left_out: 0, shortened: 0, other_durations: 0 };
    let batch: NumberedDraft[] = [];
    const flush = async () => {
      goOn();
      const staging = { importId, drafts: batch, read: counts.rows, now: clock() };
      if (!(await importRows.stage(store, staging))) throw new UnavailableError();
      batch = [];
    };
    for await (const { row, read } of readRows(path, facts, { person, zone, rules, options })) {
      counts.rows += 1;
      lastRow = row;
      const isUnknown = 'draft' in read && !(await timeZones.knows(read.draft.time_zone));
      if ('errors' in read || isUnknown) {
        counts.invalid += 1;
        const found = 'errors' in read ? read.errors : [unknownTimeZone];
        if (errors.length < maxEntries) errors.push(...found.map((error) => ({ row, ...error })));
      } else if ('leftOut' in read) {
        counts.left_out += 1;
        if (notices.length < maxEntries) notices.push({ row, ...read.leftOut, action: 'left_out' });
      } else {
        batch.push({ row, ...read.draft });
        if (read.shortened.length > 0) counts.shortened += 1;
        if (read.hasOtherDuration) counts.other_durations += 1;
        if (notices.length < maxEntries)
          notices.push(...read.shortened.map((error) => ({ row, ...error, action: 'shortened' as const })));
      }
      if (batch.length === batchSize) await flush();
    }
    await flush();
    const { layout, fileColumns, reading, readings, isOrderGuessed, isUnitAsked } = facts;
    const read = {
      counts,
      errors,
      notices,
      columns: layout.columns,
      file_columns: fileColumns,
      unread_columns: layout.unread,
      readings,
      date_order: reading.order,
      date_order_guessed: isOrderGuessed,
      duration_unit: reading.units.number ?? null,
      duration_unit_asked: isUnitAsked,
    };
    return { lastRow, read };
  }

  async function report(
    importId: number,
    { options }: ImportRequest,
    file: Awaited<ReturnType<typeof stage>>['read'],
  ): Promise<ImportReport> {
    const { on_overlap, skip_invalid, dry_run } = options;
    const { counts: read, errors, notices, ...facts } = file;
    const { moved, stored, tags, ...counts } = await importReports.count(store, importId);
    if (stored + counts.valid > maxSessions)
      throw ValidationError.of('file', 'too_many_sessions', { maximum: maxSessions });
    if (tags > maxTags) throw ValidationError.of('file', 'import_too_many_tags', { maximum: maxTags });
    if (counts.created_projects > maxCreatedProjects)
      throw ValidationError.of('create_projects', 'import_too_many_projects', { maximum: maxCreatedProjects });
    const tolerated = toleratedProblems(options);
    const rejecting = rowProblems.filter((problem) => !tolerated.includes(problem));
    const noticeable = tolerated.filter((problem) => problem !== 'import_duplicate');
    const rejected = await importReports.listEntries(store, importId, rejecting, false, maxEntries);
    const noticed = await importReports.listEntries(store, importId, noticeable, true, maxEntries);
    const leftOut = errors.map((error) => ({ ...error, action: 'left_out' as const }));
    return {
      ...counts,
      ...read,
      ...facts,
      invalid: counts.invalid + read.invalid,
      skipped: on_overlap === 'reject' ? 0 : counts.overlaps,
      trimmed: on_overlap === 'trim' ? moved : 0,
      moved: on_overlap === 'stack' ? moved : 0,
      errors: firstOf([...(skip_invalid ? [] : errors), ...rejected.map(toImportError)]),
      notices: firstOf([
        ...notices,
        ...(skip_invalid ? leftOut : []),
        ...noticed.map((row) => toImportNotice(row, on_overlap)),
      ]),
      projects: await importReports.listProjects(store, importId, maxEntries),
      sessions: dry_run ? await importReports.listSessions(store, importId, maxEntries) : [],
    };
  }

  return async function check(importId: number, actor: Actor, request: ImportRequest): Promise<ImportReport> {
    const { lastRow, read } = await stage(importId, actor, request);
    await importRows.analyze(store);
    const { create_projects: create, on_overlap: overlap } = request.options;
    await checkRows(store, actor, { importId, lastRow, now: clock(), create, overlap, goOn });
    return report(importId, request, read);
  };
}

export type ImportCheck = ReturnType<typeof createImportCheck>;

function firstOf<Entry extends ImportError>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.row - b.row).slice(0, maxEntries);
}
