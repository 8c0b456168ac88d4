import { LRUCache } from 'lru-cache';
import { ValidationError } from '../texts/errors.ts';
import type { Executor } from './executor.ts';
import { type Sql, sql, t } from './sql/sql.ts';
import { many } from './statements.ts';

const listTimeZones = many('list_time_zones', { name: t.text }, () => sql`SELECT z.name FROM pg_timezone_names z`);

/** How far local time is ahead of UTC, in milliseconds, by the rules of the database. */
export type ZoneRules = { offsetAt: (moment: number) => number };

/** SQL: the seconds that local time is ahead of UTC. */
const offsetAt = (at: Sql, zone: Sql) =>
  sql`extract(epoch FROM ${at} AT TIME ZONE ${zone} - ${at} AT TIME ZONE 'UTC')::integer`;
/** SQL: the parts of the spans `at` to `until` within which the clocks change. */
const partsOf = (spans: Sql, part: Sql, zone: Sql) => sql`
  SELECT p.at, p.at + ${part} AS until
  FROM ${spans} AS s CROSS JOIN LATERAL generate_series(s.at, s.until - ${part}, ${part}) AS p (at)
  WHERE ${offsetAt(sql`p.at`, zone)} <> ${offsetAt(sql`(p.at + ${part})`, zone)}`;

/** From the earliest time, the offsets of the years that records may have, each from a minute on. */
const readOffsets = many('read_zone_offsets', { at: t.bigint, seconds: t.integer }, (name: string) => {
  const zone = sql`${t.text(name)}`;
  const first = sql`timestamptz '1999-12-01Z'`;
  return sql`
    WITH days AS (${partsOf(sql`(SELECT ${first} AS at, timestamptz '2100-02-01Z' AS until)`, sql`interval '1 day'`, zone)}),
    hours AS (${partsOf(sql`days`, sql`interval '1 hour'`, zone)}),
    minutes AS (${partsOf(sql`hours`, sql`interval '1 minute'`, zone)})
    SELECT (extract(epoch FROM c.at) * 1000)::bigint AS at, ${offsetAt(sql`c.at`, zone)} AS seconds
    FROM (SELECT ${first} AS at UNION ALL SELECT m.until FROM minutes m) AS c ORDER BY c.at`;
});

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

  // Connections keep the rules that they have read, too.
  const rules = new LRUCache<string, ZoneRules>({ max: 200, ttl: 3_600_000 });

  async function rulesOf(name: string): Promise<ZoneRules> {
    const known = rules.get(name);
    if (known !== undefined) return known;
    const offsets = await readOffsets(db, name);
    function offsetAt(moment: number): number {
      let [low, high] = [0, offsets.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((offsets[middle]?.at ?? 0) <= moment) low = middle;
        else high = middle - 1;
      }
      return (offsets[low]?.seconds ?? 0) * 1000;
    }
    const found = { offsetAt };
    rules.set(name, found);
    return found;
  }

  return {
    knows,
    /** Everything that is computed from local times takes them from here, so that it agrees with what the database computes. */
    rulesOf,
    /** Throws a ValidationError for the field if the database does not know the zone. */
    async require(name: string, field: string): Promise<void> {
      if (!(await knows(name))) throw ValidationError.of(field, 'invalid_time_zone');
    },
  };
}

export type TimeZones = ReturnType<typeof createTimeZones>;
