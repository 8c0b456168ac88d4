import type { Knex } from 'knex';

/** `on`: what follows the table in CREATE INDEX. */
type Index = { name: string; table: string; on: string };

/**
 * For migrations: builds an index while others write (CREATE INDEX CONCURRENTLY, which runs outside a transaction only), on
 * each partition where the table has some. An interrupted build is begun again.
 */
export async function buildIndex(knex: Knex, { name, table, on }: Index): Promise<void> {
  const partitions = await partitionsOf(knex, table);
  if (await isPartitioned(knex, name)) return;
  if (partitions.length === 0) return untilUnlocked(name, () => build(knex, name, `${table} ${on}`));
  for (const partition of partitions) {
    const own = name.replace(table, partition);
    await untilUnlocked(own, () => build(knex, own, `${partition} ${on}`));
  }
  await knex.raw(`CREATE INDEX ${name} ON ${table} ${on}`); // takes over those of the partitions
}

/** Drops an index while others write. PostgreSQL cannot do so with that of a partitioned table: writers wait a moment. */
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

/**
 * Repeats what waited for other transactions for longer than `lock_timeout`, which behind PgBouncer is that of the role. It
 * is not set to 0: behind a pooler each statement may have another connection.
 */
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
