import { z } from 'zod';
import { timestamp } from '../../http/fields.ts';

export const calendarState = z
  .object({
    created_at: timestamp,
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'When a calendar last read it, accurate to about a minute.' }),
  })
  .nullable()
  .meta({ description: 'Null if there is no address.' });

export const calendarAddress = z.object({
  secret_url: z.string().optional().meta({
    description:
      'For calendar applications. Anyone who knows it can read the records. Returned only once; omitted when the `Idempotency-Key` is repeated.',
    example: 'http://127.0.0.1:3000/api/calendar.ics?token=pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d',
  }),
});

export const calendarQuery = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'invalid_text' })
    .meta({ description: 'The secret part of the address.', example: 'pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d' }),
});
