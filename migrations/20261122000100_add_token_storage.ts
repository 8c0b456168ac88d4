import type { Knex } from 'knex';

/** Who keeps the refresh token of a sign-in: the client itself, or the browser in a cookie that scripts cannot read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sign_ins
      ADD COLUMN token_storage text NOT NULL DEFAULT 'client',
      ADD CONSTRAINT sign_ins_token_storage CHECK (token_storage IN ('client', 'session_cookie', 'persistent_cookie'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_ins DROP COLUMN token_storage');
}
