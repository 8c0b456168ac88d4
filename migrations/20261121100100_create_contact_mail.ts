import type { Knex } from 'knex';

/** Requests that no mail has told of yet, and when the next mail may go out. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE contact_outbox (
      request_id bigint CONSTRAINT contact_outbox_pkey PRIMARY KEY
                   CONSTRAINT contact_outbox_request_id_fkey REFERENCES contact_requests (id) ON DELETE CASCADE
    );

    -- One row for all processes.
    CREATE TABLE contact_mailer (
      only_row boolean DEFAULT true CONSTRAINT contact_mailer_pkey PRIMARY KEY CONSTRAINT contact_mailer_one_row CHECK (only_row),
      next_at  timestamptz(3) NOT NULL DEFAULT 'epoch',
      failures integer NOT NULL DEFAULT 0
    );
    INSERT INTO contact_mailer DEFAULT VALUES;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE contact_mailer, contact_outbox');
}
