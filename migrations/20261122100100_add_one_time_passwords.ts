import type { Knex } from 'knex';

/** A password made by the service expires, and must be changed; any other has no expiry. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users ADD COLUMN password_expires_at timestamptz(3),
      ADD CONSTRAINT users_password_expiry_of_password CHECK (password_expires_at IS NULL OR password_hash IS NOT NULL)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN password_expires_at');
}
