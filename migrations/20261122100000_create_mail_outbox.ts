import type { Knex } from 'knex';

/** Mails that wait to be sent: written in the transaction whose effect they tell of. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_outbox (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT mail_outbox_pkey PRIMARY KEY,
      recipient  text NOT NULL CONSTRAINT mail_outbox_recipient_length CHECK (char_length(recipient) BETWEEN 3 AND 254),
      subject    text NOT NULL,
      -- Encrypted, because links in it are valid.
      body       text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      next_at    timestamptz(3) NOT NULL,
      attempts   integer NOT NULL DEFAULT 0
    );
    CREATE INDEX mail_outbox_next_at_idx ON mail_outbox (next_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE mail_outbox');
}
