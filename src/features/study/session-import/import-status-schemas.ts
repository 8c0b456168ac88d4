import { z } from 'zod';
import { errorCode, fileColumns, id } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { checkedFile, reportExample } from './import-report-schemas.ts';

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
