import type { Knex } from 'knex';

/** Links by which somebody sets a password: invitations, and resets that were asked for. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE account_links (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT account_links_pkey PRIMARY KEY,
      user_id    bigint NOT NULL CONSTRAINT account_links_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      purpose    text NOT NULL CONSTRAINT account_links_purpose_known CHECK (purpose IN ('invitation', 'password_reset')),
      -- NULL once the link was used, replaced or cancelled: the row then only counts toward the limits.
      token_hash bytea CONSTRAINT account_links_token_hash_key UNIQUE,
      by_administrator boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL
    );
    CREATE INDEX account_links_user_id_idx ON account_links (user_id, created_at);
    CREATE UNIQUE INDEX account_links_one_pending ON account_links (user_id, purpose) WHERE token_hash IS NOT NULL;
    CREATE INDEX account_links_expires_at_idx ON account_links (expires_at);

    -- What strangers asked for, until a job looks the address up: responses do the same work for every address.
    CREATE TABLE password_reset_requests (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT password_reset_requests_pkey PRIMARY KEY,
      email        text NOT NULL,
      locale       text NOT NULL CONSTRAINT password_reset_requests_locale_known CHECK (locale IN ('en', 'zh')),
      requested_at timestamptz(3) NOT NULL
    );

    -- The table holds the attempts of two hours, so that the check takes no time.
    ALTER TABLE contact_attempts ADD COLUMN purpose text NOT NULL DEFAULT 'contact'
      CONSTRAINT contact_attempts_purpose_known CHECK (purpose IN ('contact', 'password_reset'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE contact_attempts DROP COLUMN purpose;
    DROP TABLE password_reset_requests;
    DROP TRIGGER IF EXISTS users_cancel_account_links ON users;
    DROP FUNCTION IF EXISTS users_cancel_account_links();
    DROP TABLE account_links;
    DROP FUNCTION IF EXISTS audit_account_link();
    DROP FUNCTION IF EXISTS lock_rights(bigint);
  `);
}
