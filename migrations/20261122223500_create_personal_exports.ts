import type { Knex } from 'knex';

/** Archives of what belongs to a user, which background jobs write. Their files are stored, encrypted, beside the images; deleting a row deletes its key. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE personal_exports (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT personal_exports_pkey PRIMARY KEY,
      user_id      bigint NOT NULL CONSTRAINT personal_exports_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      state        text NOT NULL DEFAULT 'pending'
                   CONSTRAINT personal_exports_state_known CHECK (state IN ('pending', 'ready', 'failed')),
      requested_at timestamptz(3) NOT NULL,
      finished_at  timestamptz(3),
      -- Of the latest attempt: how its files are called, and their key, encrypted under the secrets of the service.
      file_id      uuid CONSTRAINT personal_exports_file_id_key UNIQUE,
      sealed_key   text,
      parts        integer,
      bytes        bigint,
      CONSTRAINT personal_exports_finished CHECK ((state = 'pending') = (finished_at IS NULL)),
      CONSTRAINT personal_exports_ready CHECK (
        state <> 'ready' OR (file_id IS NOT NULL AND sealed_key IS NOT NULL AND parts > 0 AND bytes > 0))
    );
    CREATE INDEX personal_exports_user_id_idx ON personal_exports (user_id, requested_at);
    CREATE UNIQUE INDEX personal_exports_one_pending ON personal_exports (user_id) WHERE state = 'pending';
    CREATE INDEX personal_exports_finished_at_idx ON personal_exports (finished_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS users_delete_exports ON users;
    DROP FUNCTION IF EXISTS users_delete_exports();
    DROP TABLE personal_exports;
    DELETE FROM background_jobs WHERE kind = 'personal_export';
  `);
}
