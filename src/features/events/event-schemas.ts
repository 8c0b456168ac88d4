import { z } from 'zod';
import { queryInt } from '../../http/validation/fields.ts';

/** What events name. */
export const topics = ['projects', 'sessions', 'timer', 'inbox'] as const;
export type Topic = (typeof topics)[number];

export const longestSeconds = 900;

export const eventsQuery = z.object({
  seconds: queryInt({ min: 0, max: longestSeconds })
    .default(longestSeconds)
    .meta({
      override: { type: 'integer', minimum: 0, maximum: longestSeconds, default: longestSeconds },
      description: 'How long the response lasts at most; it is never longer than a token is valid.',
    }),
});
