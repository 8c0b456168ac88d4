import type { Knex } from 'knex';

/** Where accounts signed in from, and failures that were counted while the account was blocked already. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sign_in_addresses (
      user_id           bigint NOT NULL CONSTRAINT sign_in_addresses_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      -- Normalised: of IPv6 the /64.
      address           text NOT NULL,
      last_signed_in_at timestamptz(3) NOT NULL,
      CONSTRAINT sign_in_addresses_pkey PRIMARY KEY (user_id, address)
    );
    CREATE INDEX sign_in_addresses_last_signed_in_at_idx ON sign_in_addresses (last_signed_in_at);

    ALTER TABLE sign_in_failures ADD COLUMN blocked boolean NOT NULL DEFAULT false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE sign_in_addresses;
    DELETE FROM sign_in_failures WHERE blocked;
    ALTER TABLE sign_in_failures DROP COLUMN blocked;
  `);
}
