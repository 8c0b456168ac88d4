import type { StatisticsReadModel } from './statistics-read-model.ts';

/**
 * The names that a zone may have in the database, best first. A name without a slash, such as CET or IST, means an
 * abbreviation to PostgreSQL and possibly another zone, so there the runtime's canonical name goes first. Else the
 * given name does: the canonical one can be of before a city was renamed, and such names are not installed everywhere.
 */
export function namesOfZone(name: string): [string, string] {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  return name.includes('/') ? [name, canonical] : [canonical, name];
}

export function createTimeZones(readModel: Pick<StatisticsReadModel, 'findTimeZone'>) {
  const known = new Map<string, string>(); // by lower case, so that it is no larger than the list of zones

  return {
    /** The name of a zone that the runtime knows, in the database; undefined when that does not know it. */
    async find(name: string): Promise<string | undefined> {
      const key = name.toLowerCase();
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const found = await readModel.findTimeZone(...namesOfZone(name));
      if (found !== undefined) known.set(key, found);
      return found;
    },
  };
}

export type TimeZones = ReturnType<typeof createTimeZones>;
