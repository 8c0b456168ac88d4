import { ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import type { StatisticsReadModel } from './statistics-read-model.ts';
import type { Calendar } from './study-days.ts';

export function createCalendars(clock: Clock) {
  return {
    of: (actor: Actor): Calendar => ({ zone: actor.timezone, now: clock(), user_id: actor.id }),
  };
}

export type Calendars = ReturnType<typeof createCalendars>;

/** The time zones of the database, read once: its list may be older than that of the runtime. */
export function createTimeZones(readModel: Pick<StatisticsReadModel, 'listTimeZones'>) {
  let names: Promise<ReadonlySet<string>> | undefined;
  const load = async () => new Set(await readModel.listTimeZones());

  async function knows(name: string): Promise<boolean> {
    names ??= load();
    try {
      return (await names).has(name);
    } catch (error) {
      names = undefined;
      throw error;
    }
  }

  return {
    knows,
    /** Throws a ValidationError for the field if the database does not know the zone. */
    async require(name: string, field: string): Promise<void> {
      if (!(await knows(name))) throw ValidationError.of(field, 'invalid_time_zone');
    },
  };
}

export type TimeZones = ReturnType<typeof createTimeZones>;
