import type { Knex } from 'knex';

/** CREATE INDEX CONCURRENTLY, which writers do not wait for, runs outside a transaction only. */
export const config = { transaction: false };

/**
 * The latest session of a project comes from the totals of its users: in `study_sessions` each partition would have to be
 * searched. The index also finds what the one that it replaces found.
 */
export async function up(knex: Knex): Promise<void> {
  await replace(
    knex,
    'project_user_totals_last_session_idx',
    'project_id, last_session',
    'project_user_totals_project_idx',
  );
}

export async function down(knex: Knex): Promise<void> {
  await replace(knex, 'project_user_totals_project_idx', 'project_id', 'project_user_totals_last_session_idx');
}

async function replace(knex: Knex, name: string, columns: string, former: string): Promise<void> {
  for (let attempts = 1; !(await tryReplace(knex, name, columns, former)); attempts += 1)
    if (attempts === 30) throw new Error(`${name}: other transactions did not end in time; start again later`);
}

/** False when it waited for other transactions for longer than `lock_timeout`, which behind PgBouncer is that of the role. */
async function tryReplace(knex: Knex, name: string, columns: string, former: string): Promise<boolean> {
  try {
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`); // an interrupted attempt leaves an invalid one
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON project_user_totals (${columns})`);
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${former}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false; // lock_not_available
    throw error;
  }
}
