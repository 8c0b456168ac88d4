import { type Operation, operation } from '../../http/operation.ts';
import type { createEventHub } from './event-hub.ts';
import { eventsQuery } from './event-schemas.ts';

type Options = { hub: ReturnType<typeof createEventHub>; tokenSeconds: number };

export function createEventRoutes({ hub, tokenSeconds }: Options): Operation[] {
  return [
    operation({
      tag: 'Sync',
      access: 'user',
      method: 'get',
      path: '/api/events',
      id: 'streamEvents',
      summary: 'Stream events about changes',
      description:
        'Server-sent events: first `ready`, then `changed` with a JSON array of what to reload: `projects`, `sessions` (records, hours and statistics), `timer`, and for administrators `inbox`. The stream ends with the sign-in and when the service stops; reconnect after a short delay and reload everything on `ready`. At most 5 connections per user and process.',
      query: eventsQuery,
      produces: ['text/event-stream'],
      errors: ['RATE_LIMITED'],
      handler: async ({ actor, query: { seconds } }) => ({
        stream: hub.open({ user_id: actor.id, sign_in_id: actor.sign_in_id }, Math.min(seconds, tokenSeconds) * 1000),
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
      }),
    }),
  ];
}
