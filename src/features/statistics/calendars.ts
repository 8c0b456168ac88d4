import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import type { Calendar } from './study-days.ts';
import type { TimeZones } from './time-zones.ts';

export type CalendarsOptions = { timeZones: TimeZones; clock: Clock };

export function createCalendars({ timeZones, clock }: CalendarsOptions) {
  return {
    of: async (actor: Actor): Promise<Calendar> => ({
      zone: (await timeZones.find(actor.timezone)) ?? 'UTC',
      now: clock(),
      user_id: actor.id,
    }),
  };
}

export type Calendars = ReturnType<typeof createCalendars>;
