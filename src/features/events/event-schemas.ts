import { z } from 'zod';
import { queryInt } from '../../http/fields.ts';

export const topics = ['projects', 'sessions', 'timer', 'inbox'] as const;
export type Topic = (typeof topics)[number];

export const maxSeconds = 900;

export const eventsQuery = z.object({
  seconds: queryInt({ min: 0, max: maxSeconds })
    .default(maxSeconds)
    .meta({
      override: { type: 'integer', minimum: 0, maximum: maxSeconds, default: maxSeconds },
      description: 'The maximum duration of the response; never longer than a token is valid.',
    }),
});
