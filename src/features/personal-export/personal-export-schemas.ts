import { z } from 'zod';
import { id, timestamp } from '../../http/fields.ts';
import { exportStates } from './personal-export-repository.ts';

export const personalExport = z
  .object({
    id: id.meta({ example: 3 }),
    state: z.enum(exportStates).meta({ description: 'Being created, ready to download, or failed.', example: 'ready' }),
    requested_at: timestamp,
    finished_at: timestamp.nullable(),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When the archive is deleted: one day after it was created.' }),
    bytes: z.int().nullable().meta({ description: 'The size of the archive, once it is ready.', example: 48_213 }),
  })
  .meta({ id: 'PersonalExport' });
export const personalExportState = personalExport
  .nullable()
  .meta({ description: 'The latest one, or null if there was none within the last day.' });
