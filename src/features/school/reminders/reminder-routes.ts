import { z } from 'zod';
import type { RateLimits } from '../../../http/limits.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { reminderKinds } from './reminder-repository.ts';
import type { ReminderService } from './reminder-service.ts';

const unsubscribeQuery = z.object({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: 'From the link in the mail.', example: 'pUq4c1vTn0xgYv3mB7k2dQ' }),
});
const unsubscribed = z.object({
  kind: z.enum(reminderKinds).meta({ description: 'Which mails were switched off.', example: 'week' }),
});

type Options = { reminders: ReminderService; rateLimits: RateLimits; floodPerMinute: number };

export function createReminderRoutes({ reminders, rateLimits, floodPerMinute }: Options): Operation[] {
  return [
    operation({
      tag: 'Sign-in',
      method: 'post',
      path: '/api/mail/unsubscribe',
      id: 'unsubscribe',
      summary: 'Stop mails of a kind',
      description:
        'Takes the token of the link in a mail, without a sign-in. Mail programs send the request when "unsubscribe" is chosen (RFC 8058); its body is ignored.',
      access: 'public',
      query: unsubscribeQuery,
      data: unsubscribed,
      message: 'unsubscribed',
      limit: rateLimits('unsubscribe', floodPerMinute),
      handler: async ({ query }) => ({ data: { kind: await reminders.unsubscribe(query.token) } }),
    }),
  ];
}
