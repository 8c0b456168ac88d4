import type { Knex } from 'knex';

/** CREATE INDEX CONCURRENTLY, which writers do not wait for, runs outside a transaction only. */
export const config = { transaction: false };

const indexes = {
  study_sessions_changes_idx: 'study_sessions (user_id, changed_in, id)',
  study_sessions_owner_changes_idx: 'study_sessions (owner_id, changed_in, id) WHERE owner_id <> user_id',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    let attempts = 0;
    while (!(await tryCreate(knex, name, columns))) {
      attempts += 1;
      if (attempts === 30) throw new Error(`${name}: other transactions did not end in time; start again later`);
    }
  }
}

/**
 * False when it waited for other transactions for longer than `lock_timeout`, which behind PgBouncer is that of the role.
 * Not set to 0 here: behind a pooler each statement may have another connection.
 */
async function tryCreate(knex: Knex, name: string, columns: string): Promise<boolean> {
  try {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`); // an interrupted attempt leaves an invalid one
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false; // lock_not_available
    throw error;
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
