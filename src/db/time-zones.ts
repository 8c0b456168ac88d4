import { ValidationError } from '../texts/errors.ts';
import type { Executor } from './executor.ts';
import { sql, t } from './sql/sql.ts';
import { many } from './statements.ts';

const listTimeZones = many('list_time_zones', { name: t.text }, () => sql`SELECT z.name FROM pg_timezone_names z`);

/** The time zones of the database, read once: its list may be older than that of the runtime. */
export function createTimeZones(db: Executor) {
  let names: Promise<ReadonlySet<string>> | undefined;
  const load = async () => new Set((await listTimeZones(db)).map(({ name }) => name));

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
