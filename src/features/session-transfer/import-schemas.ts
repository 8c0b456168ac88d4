import { z } from 'zod';
import { errorCodes } from '../../errors.ts';
import { timestamp, timeZone } from '../../http/fields.ts';

/** The fields beside the file come as text. */
export const importBody = z.object({
  dry_run: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true')
    .meta({ description: 'Unless it is `false`, the file is only checked.' }),
  time_zone: timeZone
    .optional()
    .meta({ description: 'Of reports, which hold local times; by default the one of the caller.' }),
});

const checked = z.object({
  rows: z.int(),
  valid: z.int(),
  duplicates: z.int().meta({ description: 'There already, or twice in the file; left out.' }),
  overlaps: z.int(),
  imported: z.int(),
  errors: z
    .array(z.object({ row: z.int(), field: z.string(), message: z.string() }))
    .meta({ description: 'The first 100; rows are counted as a spreadsheet does, the header being 1.' }),
});

const example = { rows: 120, valid: 118, duplicates: 2, overlaps: 0, imported: 118, errors: [] };
export const importReport = checked
  .extend({ import_id: z.int().meta({ description: 'Under which the import can be read.' }) })
  .meta({ example: { import_id: 12, ...example } });

export const importStatus = z
  .object({
    id: z.int(),
    dry_run: z.boolean(),
    state: z.enum(['checking', 'writing', 'undoing', 'done', 'failed', 'undone']).meta({
      description:
        'Of `failed` nothing was written; of `undone` some was, and has been removed again. The last three are final.',
    }),
    rows: z.int().meta({ description: 'Rows of the file; while it is checked, those read so far.' }),
    processed: z.int().meta({ description: 'Rows that have been written or left out.' }),
    imported: z.int().meta({ description: 'Records that the import has added.' }),
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
      .meta({ description: 'Why it failed, as the answer to its request said.' }),
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
