import type { Knex } from 'knex';

type Index = { name: string; table: string; on: string };

/** For migrations without a transaction: builds an index without blocking writes. Can be repeated. */
export async function buildIndex(knex: Knex, { name, table, on }: Index): Promise<void> {
  await untilUnlocked(name, async () => {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`); // an interrupted build leaves an invalid one
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${table} ${on}`);
  });
}

export async function dropIndex(knex: Knex, name: string): Promise<void> {
  await untilUnlocked(name, () => knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
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
