import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import { clientOf } from '../../../http/request.ts';
import { timestamp } from '../../../http/time-fields.ts';
import type { CalendarService } from './calendar-service.ts';

const calendarState = z
  .object({
    created_at: timestamp,
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'When a calendar last read it, accurate to about a minute.' }),
  })
  .nullable()
  .meta({ description: 'Null if there is no address.' });

const calendarAddress = z.object({
  secret_url: z.string().meta({
    description:
      'For calendar applications. Anyone who knows it can read the records. Returned only once; empty when the `Idempotency-Key` is repeated.',
    example: 'http://127.0.0.1:3000/api/calendar.ics?token=pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d',
  }),
});

const calendarQuery = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'invalid_text' })
    .meta({ description: 'The secret part of the address.', example: 'pUq4c1vTn0xgYv3mB7k2dQpUq4c1vTn0xgYv3mB7k2d' }),
});

type Options = { calendar: CalendarService; publicUrl: string };

export function createCalendarRoutes({ calendar, publicUrl }: Options): Operation[] {
  const own = { tag: 'Sign-in', access: 'user', scope: 'none', path: '/api/me/calendar' } as const;

  return [
    operation({
      ...own,
      method: 'get',
      id: 'getCalendar',
      summary: 'Get the state of your calendar address',
      description: 'When it was created and last used, or null. The address itself is shown only when it is created.',
      data: calendarState,
      handler: async ({ actor }) => ({ data: (await calendar.find(actor.id)) ?? null }),
    }),

    operation({
      ...own,
      method: 'post',
      id: 'createCalendar',
      summary: 'Create a secret address for your calendar',
      description:
        'Publishes your records of the last year and the due dates of your projects as iCalendar (RFC 5545). Replaces the previous address; at most ten are created within a day. Changing the password or deactivating the account revokes it.',
      data: calendarAddress,
      secrets: ['secret_url'],
      message: 'calendar_created',
      errors: ['CONFLICT'],
      idempotent: true,
      handler: async ({ actor, store, request }) => {
        const token = await calendar.replace(store, actor, clientOf(request));
        return { data: { secret_url: `${publicUrl}/api/calendar.ics?token=${token}` } };
      },
    }),

    operation({
      ...own,
      method: 'delete',
      id: 'deleteCalendar',
      summary: 'Revoke your calendar address',
      description: 'Calendars that are subscribed to it get 404 from then on.',
      message: 'calendar_deleted',
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ actor }) => {
        await calendar.remove(actor);
        return {};
      },
    }),

    operation({
      tag: 'Records',
      access: 'public',
      method: 'get',
      path: '/api/calendar.ics',
      id: 'readCalendar',
      summary: 'Read a calendar by its secret address',
      description:
        'Due dates of projects as whole days, and the newest finished records of the last 365 days: at most 2,000, and 1.5 MB. An address can be read 20 times a minute. The secret is in the query, which is not logged.',
      query: calendarQuery,
      produces: ['text/calendar'],
      errors: ['RESOURCE_NOT_FOUND'],
      cost: 'statistics',
      handler: async ({ query }) => ({
        stream: Readable.from(await calendar.render(query.token)),
        contentType: 'text/calendar; charset=utf-8',
        headers: { 'Cache-Control': 'no-store' },
      }),
    }),
  ];
}
