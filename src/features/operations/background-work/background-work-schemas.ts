import { z } from 'zod';
import { timestamp } from '../../../http/time-fields.ts';

/** Every kind of background jobs, in the order in which they are shown. */
export const backgroundKinds = [
  'mail',
  'contact_mail',
  'webhook_delivery',
  'personal_export',
  'achievements',
  'roster',
] as const;

const count = (description: string, example: number) => z.int().meta({ description, example });

export const backgroundWork = z
  .object({
    kinds: z.array(
      z.object({
        kind: z.enum(backgroundKinds).meta({
          description:
            "`mail`: to account holders. `contact_mail`: to administrators, about contact requests. `webhook_delivery`: events to other programs. `personal_export`: archives of users' data. `achievements`: what imports and changed calendars have earned. `roster`: accounts to create and change.",
          example: 'mail',
        }),
        queued: count('Waiting for their first attempt.', 3),
        running: count('Being run by a process.', 1),
        failed: count('Waiting for a retry after a failure.', 1),
        oldest_at: timestamp.nullable().meta({ description: 'When the oldest unfinished job was created.' }),
        next_attempt_at: timestamp.nullable().meta({ description: 'When the next failed job is retried.' }),
        last_error_code: z.string().nullable().meta({
          description: 'Of the latest failure among the unfinished jobs.',
          example: 'ECONNREFUSED',
        }),
        last_failed_at: timestamp.nullable(),
      }),
    ),
    backups: z
      .object({
        schedule: z.string().meta({
          description: '`BACKUP_SCHEDULE`: a time of day of the server, or a number of hours.',
          example: '03:00',
        }),
        finished_at: timestamp.nullable().meta({ description: 'When the last backup was complete.' }),
        file: z.string().nullable().meta({ example: 'studytrack-2026-11-25t030000z.tgz' }),
        bytes: z.int().nullable().meta({ description: 'Its size.', example: 52_428_800 }),
        failures: count('Failed attempts since then.', 0),
        failed_at: timestamp.nullable(),
        error: z.string().nullable().meta({
          description: 'Why the last attempt failed, if it did.',
          example: 'no space left on the disk (ENOSPC)',
        }),
        next_at: timestamp.meta({ description: 'When the next one is due.' }),
      })
      .nullable()
      .meta({ description: 'Backups by the service; `null` if none are scheduled.' }),
  })
  .meta({ id: 'BackgroundWork' });
export type BackgroundWork = z.output<typeof backgroundWork>;
