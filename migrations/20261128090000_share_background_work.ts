import type { Knex } from 'knex';

/** Background jobs are run in turns between those who caused them, and merged while they wait. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE background_jobs
      -- The user who caused it; null for the service.
      ADD COLUMN sender    bigint,
      -- Jobs of a queue run in this order, and then in that of their ids: those of different senders alternate.
      ADD COLUMN turn      bigint NOT NULL DEFAULT 0,
      -- Until it is claimed, further jobs of its kind with this key are merged into it.
      ADD COLUMN merge_key text
        CONSTRAINT background_jobs_merge_key_length CHECK (char_length(merge_key) BETWEEN 1 AND 100),
      ADD CONSTRAINT background_jobs_turn_range CHECK (turn >= 0);

    CREATE TABLE webhook_skipped_senders (
      webhook_id  bigint NOT NULL
                    CONSTRAINT webhook_skipped_senders_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
      user_id     bigint NOT NULL
                    CONSTRAINT webhook_skipped_senders_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      -- Since when no events of this user are recorded for the webhook, because too many of them wait.
      skips_since timestamptz(3) NOT NULL,
      CONSTRAINT webhook_skipped_senders_pkey PRIMARY KEY (webhook_id, user_id)
    );
    CREATE INDEX webhook_skipped_senders_user_idx ON webhook_skipped_senders (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE webhook_skipped_senders;
    ALTER TABLE background_jobs DROP COLUMN sender, DROP COLUMN turn, DROP COLUMN merge_key;
  `);
}
