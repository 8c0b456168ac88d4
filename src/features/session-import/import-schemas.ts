import { z } from 'zod';
import { errorCodes } from '../../error-codes.ts';
import { timestamp, timeZone } from '../../http/fields.ts';
import { columnFields } from './file/column-names.ts';

export const importStates = ['checking', 'writing', 'undoing', 'done', 'failed', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

export const overlapModes = ['reject', 'skip', 'trim'] as const;
export const dateOrders = ['auto', 'day_first', 'month_first'] as const;

const flag = (byDefault: 'true' | 'false', description: string) =>
  z
    .enum(['true', 'false'])
    .default(byDefault)
    .transform((value) => value === 'true')
    .meta({ description });

/** JSON in a field of the form. */
const json = <Schema extends z.ZodType>(schema: Schema, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'invalid' });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .meta({ override: { type: 'string', maxLength } });

/** The id of a project, or its name. */
const projectText = z
  .string()
  .max(200)
  .transform((value) => (/^[1-9]\d{0,14}$/.test(value.trim()) ? Number(value) : value.trim()))
  .meta({ override: { type: 'string', maxLength: 200 } });

const clockTime = z
  .string()
  .regex(/^([01]?\d|2[0-3]):[0-5]\d$/, { error: 'invalid' })
  .transform((value) => {
    const [hours, minutes] = value.split(':').map(Number);
    return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
  });

export const importBody = z.object({
  dry_run: flag('true', 'Unless `false`, the file is only checked.'),
  on_overlap: z.enum(overlapModes).default('reject').meta({
    description:
      'What to do with rows that overlap a record or an earlier row: `reject` the file, `skip` them, or `trim` them so that the later one begins where the earlier one ends. A row is skipped if nothing is left of it or a record begins during it.',
  }),
  skip_invalid: flag('false', 'Leave out rows with errors instead of rejecting the file; the report lists them.'),
  create_projects: flag('false', 'Create projects that the caller cannot see, as projects of the caller.'),
  date_order: z.enum(dateOrders).default('auto').meta({
    description:
      'The order in dates such as 03/04/2026; `auto` detects it from the days, ends and durations of the file, or else takes the month first, and the report says so.',
  }),
  columns: json(z.partialRecord(z.enum(columnFields), z.string().max(200)), 2_000)
    .optional()
    .meta({
      description: `The headers of columns that are not recognised, as JSON: an object with some of ${columnFields.join(', ')}. The report of a dry run names those in use.`,
    }),
  default_project: projectText
    .optional()
    .meta({ description: 'The id or name of the project of rows that name none.' }),
  project_map: json(z.record(z.string().max(2_000), z.union([z.int().min(1), z.string().max(200), z.null()])), 2_000)
    .optional()
    .meta({
      description:
        'Other projects for names in the file, as JSON: an object from name to id, name, or null for rows to leave out.',
    }),
  people: z.enum(['own', 'all']).default('own').meta({
    description: "With `own`, rows of other people are left out if a file has several people's.",
  }),
  from_other_account: flag(
    'false',
    'Accept an export of another account or installation, whose projects are matched by name.',
  ),
  day_starts_at: clockTime.prefault('09:00').meta({
    override: { type: 'string', pattern: '^([01]?\\d|2[0-3]):[0-5]\\d$', default: '09:00' },
    description: 'Rows with a date and a duration only follow one another from this time of their day.',
  }),
  time_zone: timeZone
    .optional()
    .meta({ description: "The time zone of local times in a report; defaults to the caller's." }),
});

export type ImportOptions = z.output<typeof importBody>;

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
        action: z.enum(['left_out', 'skipped', 'trimmed', 'shortened']),
        started_at: timestamp.optional().meta({ description: 'The new start of a trimmed row.' }),
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
  ...{ rows: 120, valid: 117, duplicates: 2, overlaps: 1, skipped: 1, trimmed: 1, invalid: 0, created_projects: 0 },
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
        '`failed`: nothing was written; `undone`: written sessions were deleted again. The last three states are final.',
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
export const importList = z.object({ imports: z.array(importStatus) });
