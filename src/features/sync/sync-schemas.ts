import { z } from 'zod';
import { queryInt } from '../../http/validation/fields.ts';
import { project } from '../projects/project-response-schemas.ts';
import { session } from '../study-sessions/session-schemas.ts';
import { cursorText } from './sync-cursor.ts';

const limits = { default: 500, max: 1000 };

export const syncQuery = z.object({
  since: cursorText.optional().meta({
    description: '`next_cursor` of the page before; without it, a full copy begins.',
    example: 'MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA',
  }),
  limit: queryInt({ min: 1, max: Number.MAX_SAFE_INTEGER })
    .transform((value) => Math.min(value, limits.max))
    .default(limits.default)
    .meta({
      override: { type: 'integer', minimum: 1, default: limits.default },
      description: `Items per page; above ${limits.max} it is ${limits.max}.`,
    }),
});

export const syncPage = z.object({
  reset: z
    .boolean()
    .meta({ description: 'The cursor can no longer be continued: discard the copy and start over without `since`.' }),
  projects: z.array(project).meta({ description: 'New or changed, with their assignments.' }),
  sessions: z.array(session).meta({ description: 'New or changed.' }),
  deleted: z
    .object({
      projects: z.array(
        z.object({
          id: z.int().meta({ example: 42 }),
          name: z.string().nullable().meta({
            description: 'What your records on it show from now on as its name; null where you have none.',
            example: 'Linear algebra',
          }),
        }),
      ),
      sessions: z.array(z.int()).meta({ description: 'Their ids.', example: [310] }),
    })
    .meta({ description: 'Deleted, or no longer yours to see.' }),
  has_more: z.boolean().meta({ description: 'Another page can be read at once.' }),
  next_cursor: z.string().nullable().meta({
    description: 'For `since` of the next request; null with `reset`. Store it together with the items of this page.',
    example: 'MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA',
  }),
});
