import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Calendar } from './study-days.ts';

export function createCalendars(clock: Clock) {
  return {
    of: (actor: Actor): Calendar => ({ zone: actor.timezone, now: clock(), user_id: actor.id }),
  };
}

export type Calendars = ReturnType<typeof createCalendars>;
