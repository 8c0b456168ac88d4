import { z } from 'zod';
import { errorCode, fileColumns, flag, id } from '../../../http/fields.ts';
import { timestamp, timeZone } from '../../../http/time-fields.ts';
import { columnFields } from './file/column-names.ts';
import { dateOrders } from './file/written-times.ts';
import { durationUnits } from './file/written-words.ts';
import { checkedFile, reportExample } from './import-report-schemas.ts';

export const overlapModes = ['reject', 'skip', 'trim', 'stack'] as const;

/** Enough for the 100 projects that a report names. */
const maxMapLength = 8_000;

/** JSON in a field of the form. */
const json = <Schema extends z.ZodType>(schema: Schema, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'field_must_be_json' });
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
      'What to do with rows that overlap a record or an earlier row: `reject` the file, `skip` them, `trim` them so that the later one begins where the earlier one ends, or `stack` rows of the file so that the later one keeps its duration and follows the earlier ones, also past records, within 24 hours. Rows of which nothing is left, during which a record begins, or, with `stack`, that overlap a record as written, are skipped.',
  }),
  skip_invalid: flag('false', 'Leave out rows with errors instead of rejecting the file; the report lists them.'),
  create_projects: flag('false', 'Create projects that the caller cannot see, as projects of the caller.'),
  date_order: z
    .enum(['auto', ...dateOrders])
    .default('auto')
    .meta({
      description:
        'The order in dates such as 03/04/2026 and 26-04-03; `auto` detects it from the days, ends and durations of the file, or else takes the month first, and the report says so.',
    }),
  duration_unit: z.enum(durationUnits).optional().meta({
    description:
      'The unit of durations such as 90, and of the first number of 1:30. Without it, the header or the starts and ends must tell it: rows of which it is not known have errors, and the report has `duration_unit_asked`.',
  }),
  columns: json(z.partialRecord(z.enum(columnFields), z.string().max(200)), 2_000)
    .optional()
    .meta({
      description: `The headers of columns that are not recognised, as JSON: an object with some of ${columnFields.join(', ')}. The report of a dry run names those in use.`,
    }),
  default_project: projectText
    .optional()
    .meta({ description: 'The id or name of the project of rows that name none.' }),
  project_map: json(
    z.record(z.string().max(2_000), z.union([z.int().min(1), z.string().max(200), z.null()])),
    maxMapLength,
  )
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

export const importStates = ['checking', 'writing', 'undoing', 'done', 'failed', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

export const importStatus = z
  .object({
    id,
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
    report: checkedFile.nullable().meta({ description: 'Null until the file has been checked.' }),
    error: z
      .object({
        code: errorCode,
        message: z.string(),
        details: z.array(z.object({ field: z.string(), message: z.string(), file_columns: fileColumns.optional() })),
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
      report: reportExample,
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
