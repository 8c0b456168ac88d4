import type { Knex } from 'knex';

/** When the owner of an account was last told by mail that it is locked after failed sign-ins. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN lock_notice_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN lock_notice_at');
}
