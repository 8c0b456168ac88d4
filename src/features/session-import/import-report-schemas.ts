import { z } from 'zod';
import { errorCodes } from '../../error-codes.ts';
import { timestamp } from '../../http/fields.ts';
import { type Locale, translate } from '../../messages/index.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import { columnFields } from './file/column-names.ts';
import type { ImportError, ImportReport, ImportRow } from './import-repository.ts';

export const importStates = ['checking', 'writing', 'undoing', 'done', 'failed', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

const entry = z.object({
  row: z.int().meta({ description: 'The row number as in a spreadsheet; the header is row 1.' }),
  field: z.string(),
  message: z.string(),
  other_row: z.int().optional().meta({ description: 'The row that it overlaps.' }),
  session_id: z.int().optional().meta({ description: 'The record that it overlaps.' }),
});

const times = { started_at: timestamp, ended_at: timestamp, hours: z.number() };
const project = {
  project_id: z.int().nullable().meta({ description: 'Null for a project that is created.' }),
  project_name: z.string(),
};

const checked = z.object({
  rows: z.int(),
  valid: z.int().meta({ description: 'Rows to import, including trimmed ones.' }),
  duplicates: z.int().meta({ description: 'Rows that already exist or are repeated in the file; left out.' }),
  overlaps: z.int().meta({ description: 'Rows rejected or skipped because they overlap.' }),
  skipped: z.int().meta({ description: 'Rows left out because they overlap.' }),
  trimmed: z.int(),
  moved: z.int().meta({ description: 'Rows that `stack` lets begin later.' }),
  invalid: z.int().meta({ description: 'Rows with an error other than an overlap.' }),
  created_projects: z.int(),
  left_out: z.int().meta({ description: 'Rows of other people, and of projects that `project_map` leaves out.' }),
  shortened: z.int().meta({ description: 'Rows whose project name or note is shortened to its maximum length.' }),
  columns: z
    .partialRecord(z.enum(columnFields), z.string())
    .meta({ description: 'The headers of the columns in use.' }),
  date_order: z.enum(['day_first', 'month_first']),
  date_order_guessed: z.boolean().meta({ description: 'Whether the dates of the file can be read in both orders.' }),
  hours: z.number().meta({ description: 'Total of the valid rows.' }),
  imported: z.int(),
  errors: z.array(entry).meta({ description: 'Why the file is rejected; the first 100.' }),
  notices: z
    .array(
      entry.extend({
        action: z.enum(['left_out', 'skipped', 'trimmed', 'moved', 'shortened']),
        started_at: timestamp.optional().meta({ description: 'The new start of a trimmed or moved row.' }),
      }),
    )
    .meta({ description: 'Rows that are not imported unchanged; the first 100.' }),
  projects: z
    .array(z.object({ ...project, sessions: z.int(), ...times }))
    .meta({ description: 'The valid rows by project, the first 100 by hours.' }),
  sessions: z
    .array(z.object({ row: z.int(), ...project, ...times }))
    .meta({ description: 'For a dry run, the first 100 records that would be imported.' }),
});

const exampleProject = { project_id: 42, project_name: 'Linear algebra' };
const example: z.input<typeof checked> = {
  ...{
    rows: 120,
    valid: 117,
    duplicates: 2,
    overlaps: 1,
    skipped: 1,
    trimmed: 1,
    moved: 0,
    invalid: 0,
    created_projects: 0,
  },
  ...{ left_out: 0, shortened: 0, date_order: 'month_first', date_order_guessed: false },
  columns: { project: 'Project', start_date: 'Start date', start_time: 'Start time', duration: 'Duration' },
  ...{ hours: 152.5, imported: 117, errors: [] },
  notices: [
    {
      ...{ row: 14, action: 'trimmed', field: 'started_at', message: 'overlaps row 13', other_row: 13 },
      started_at: '2026-02-01T09:30:00.000Z',
    },
    { row: 31, action: 'skipped', field: 'started_at', message: 'overlaps your record 310', session_id: 310 },
  ],
  projects: [
    {
      ...{ ...exampleProject, sessions: 117, hours: 152.5 },
      ...{ started_at: '2026-02-01T08:00:00.000Z', ended_at: '2026-03-29T18:00:00.000Z' },
    },
  ],
  sessions: [],
};
export const importReport = checked
  .extend({ import_id: z.int().meta({ description: 'The id of the import.' }) })
  .meta({ example: { import_id: 12, ...example } });

export const importStatus = z
  .object({
    id: z.int(),
    dry_run: z.boolean(),
    state: z.enum(importStates).meta({
      description:
        '`failed`: nothing was written; `undone`: written sessions were deleted again, after a failure or on request. The last three states are final.',
    }),
    rows: z.int().meta({ description: 'Rows of the file; while it is checked, those read so far.' }),
    processed: z.int().meta({ description: 'Rows that have been written or left out.' }),
    imported: z.int().meta({ description: 'Sessions that the import has added.' }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
    report: checked.nullable().meta({ description: 'Null until the file has been checked.' }),
    error: z
      .object({
        code: z.enum(errorCodes),
        message: z.string(),
        details: z.array(z.object({ field: z.string(), message: z.string() })),
      })
      .nullable()
      .meta({ description: 'Why it failed: the error of the response to its request.' }),
  })
  .meta({
    id: 'SessionImport',
    example: {
      id: 12,
      dry_run: false,
      state: 'done',
      rows: 120,
      processed: 120,
      imported: 118,
      created_at: '2026-02-01T08:00:00.000Z',
      finished_at: '2026-02-01T08:00:01.000Z',
      report: example,
      error: null,
    },
  });
export const undoneImport = z
  .object({
    deleted: z.int(),
    kept: z.int().meta({ description: 'Records that have been edited or deleted since.' }),
  })
  .meta({ example: { deleted: 116, kept: 1 } });
export const importList = z.object({ imports: z.array(importStatus) });

type ReportResponse = Omit<z.input<typeof importReport>, 'import_id'>;

export function toImportReportResponse(report: ImportReport & { imported: number }, locale: Locale): ReportResponse {
  const { rows, valid, duplicates, overlaps, skipped, trimmed, moved, invalid, created_projects, imported } = report;
  const { left_out, shortened, columns, date_order, date_order_guessed } = report;
  const translated = <Entry extends ImportError>(entry: Entry) => ({
    ...entry,
    message: translate(entry.message, locale),
  });
  return {
    ...{ rows, valid, duplicates, overlaps, skipped, trimmed, moved, invalid, created_projects },
    ...{ left_out, shortened, columns, date_order, date_order_guessed },
    hours: hoursOf(report.seconds),
    imported,
    errors: report.errors.map(translated),
    notices: report.notices.map(translated),
    projects: report.projects.map(withHours),
    sessions: report.sessions.map(withHours),
  };
}

export function toImportStatusResponse(row: ImportRow, locale: Locale): z.input<typeof importStatus> {
  const { failure, report, ...status } = row;
  return {
    ...status,
    report: report && toImportReportResponse({ ...report, imported: row.imported }, locale),
    error: failure && {
      code: failure.code,
      message: translate(failure.text, locale),
      details: failure.details.map(({ field, message }) => ({ field, message: translate(message, locale) })),
    },
  };
}

function withHours<Row extends { seconds: number }>({ seconds, ...row }: Row) {
  return { ...row, hours: hoursOf(seconds) };
}
