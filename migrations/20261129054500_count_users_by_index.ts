import type { Knex } from 'knex';

/** The list of accounts counts all users that are not deleted; the index that it is counted from also serves lists of ordinary users. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX users_listed_idx ON users (id) INCLUDE (status, role) WHERE deleted_at IS NULL;
    DROP INDEX users_ordinary_idx;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX users_ordinary_idx ON users (id) INCLUDE (status) WHERE role = 'user' AND deleted_at IS NULL;
    DROP INDEX users_listed_idx;
  `);
}
