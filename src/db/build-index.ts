import type { Knex } from 'knex';

type Index = { name: string; table: string; on: string };

/** For migrations without a transaction: builds an index concurrently, on each partition if there are any. Can be repeated. */
export async function buildIndex(knex: Knex, { name, table, on }: Index): Promise<void> {
  const partitions = await partitionsOf(knex, table);
  if (await isPartitioned(knex, name)) return;
  if (partitions.length === 0) return untilUnlocked(name, () => build(knex, name, `${table} ${on}`));
  for (const partition of partitions) {
    const own = name.replace(table, partition);
    await untilUnlocked(own, () => build(knex, own, `${partition} ${on}`));
  }
  await knex.raw(`CREATE INDEX ${name} ON ${table} ${on}`); // attaches those of the partitions
}

/** Drops an index concurrently. PostgreSQL cannot do so for a partitioned table, whose writers wait briefly. */
export async function dropIndex(knex: Knex, name: string): Promise<void> {
  const how = (await isPartitioned(knex, name)) ? '' : 'CONCURRENTLY';
  await untilUnlocked(name, () => knex.raw(`DROP INDEX ${how} IF EXISTS ${name}`));
}

async function isPartitioned(knex: Knex, index: string): Promise<boolean> {
  const { rows } = (await knex.raw(`SELECT FROM pg_class WHERE oid = to_regclass(?) AND relkind = 'I'`, [index])) as {
    rows: unknown[];
  };
  return rows.length > 0;
}

async function build(knex: Knex, name: string, on: string): Promise<void> {
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`); // an interrupted build leaves an invalid one
  await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}

async function partitionsOf(knex: Knex, table: string): Promise<string[]> {
  const { rows } = (await knex.raw(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ?::regclass ORDER BY 1',
    [table],
  )) as { rows: { name: string }[] };
  return rows.map(({ name }) => name);
}

/** Retries after a lock timeout. Setting `lock_timeout` is no alternative: a pooler may use another connection for each statement. */
async function untilUnlocked(name: string, work: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return void (await work());
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error; // lock_not_available
      if (attempts === 30) throw new Error(`${name}: other transactions did not end in time; start again later`);
    }
  }
}
