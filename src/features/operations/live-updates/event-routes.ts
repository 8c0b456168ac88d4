import { type Operation, operation } from '../../../http/operation.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { createEventHub } from './event-hub.ts';
import { topics } from './live-update-projection.ts';
import { eventsQuery } from './live-update-repository.ts';

type Options = { hub: ReturnType<typeof createEventHub>; clock: Clock };

export function createEventRoutes({ hub, clock }: Options): Operation[] {
  return [
    operation({
      tag: 'Sync',
      access: 'user',
      method: 'get',
      path: '/api/events',
      id: 'streamEvents',
      summary: 'Stream events about changes',
      description:
        'Server-sent events: first `ready`, then `changed` with a JSON array of what to reload: `projects`, `sessions` (records, hours and statistics), `timer`, and for administrators, except with a token without the scope `admin`, `inbox`. The stream ends with the sign-in, when the token expires and when the service stops; reconnect after a short delay and reload everything on `ready`. At most 5 connections per user and process.',
      query: eventsQuery,
      produces: ['text/event-stream'],
      errors: ['RATE_LIMITED'],
      handler: async ({ actor: { id: user_id, sign_in_id, scopes, expires = 0 }, query: { seconds } }) => {
        const seesInbox = scopes === undefined || scopes.includes('admin');
        const listener = { user_id, sign_in_id, topics: topics.filter((topic) => topic !== 'inbox' || seesInbox) };
        return {
          stream: hub.open(listener, Math.min(clock().getTime() + seconds * 1000, expires)),
          contentType: 'text/event-stream',
          headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
        };
      },
    }),
  ];
}
