import { z } from 'zod';
import { id, timestamp } from '../../http/validation/fields.ts';
import { exportStates } from './personal-export-repository.ts';

export const personalExport = z
  .object({
    id: id.meta({ example: 3 }),
    state: z
      .enum(exportStates)
      .meta({ description: 'Being written, ready to be downloaded, or failed.', example: 'ready' }),
    requested_at: timestamp,
    finished_at: timestamp.nullable(),
    expires_at: timestamp.nullable().meta({ description: 'When the archive is deleted: a day after it was written.' }),
    bytes: z.int().nullable().meta({ description: 'Of the archive, once it is ready.', example: 48_213 }),
  })
  .meta({ id: 'PersonalExport' });
export const personalExportState = personalExport
  .nullable()
  .meta({ description: 'The latest one, or null without one within a day.' });
