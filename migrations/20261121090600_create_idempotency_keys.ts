import type { Knex } from 'knex';

/** First answers by Idempotency-Key, written in the same transaction as their effect. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_keys (
      caller       text NOT NULL,
      path         text NOT NULL,
      key          text NOT NULL,
      request_hash bytea NOT NULL,
      status       integer,
      location     text,
      body         text,
      created_at   timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, path, key)
    );
    CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE idempotency_keys');
}
