import type { Knex } from 'knex';

/** Indexes for the turns of background jobs, built while the service runs. */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX CONCURRENTLY background_jobs_turn_idx ON background_jobs (kind, queue, turn, id)');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY background_jobs_sender_idx ON background_jobs (kind, queue, sender, turn) WHERE sender IS NOT NULL',
  );
  await knex.raw(
    'CREATE UNIQUE INDEX CONCURRENTLY background_jobs_merge_idx ON background_jobs (kind, merge_key) WHERE merge_key IS NOT NULL',
  );
  await knex.raw('DROP INDEX CONCURRENTLY background_jobs_queue_idx');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX CONCURRENTLY background_jobs_queue_idx ON background_jobs (kind, queue, id)');
  await knex.raw('DROP INDEX CONCURRENTLY background_jobs_turn_idx');
  await knex.raw('DROP INDEX CONCURRENTLY background_jobs_sender_idx');
  await knex.raw('DROP INDEX CONCURRENTLY background_jobs_merge_idx');
}
