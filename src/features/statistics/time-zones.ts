import type { StatisticsReadModel } from './statistics-read-model.ts';

/**
 * The possible names of a zone in the database, best first. PostgreSQL reads a name without a slash, such as CET or
 * IST, as an abbreviation, possibly of another zone, so the canonical name of the runtime comes first. Otherwise the
 * given name does: the canonical one may precede the renaming of a city, and such names are not installed everywhere.
 */
export function namesOfZone(name: string): [string, string] {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  return name.includes('/') ? [name, canonical] : [canonical, name];
}

export function createTimeZones(readModel: Pick<StatisticsReadModel, 'findTimeZone'>) {
  const known = new Map<string, string>(); // by lower case, so that its size is limited by the list of zones

  return {
    /** The database name of a zone that the runtime knows; undefined if the database does not know it. */
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
