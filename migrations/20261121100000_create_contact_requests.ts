import type { Knex } from 'knex';

/** What strangers write to the administrators, and what keeps machines from writing it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE contact_requests (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT contact_requests_pkey PRIMARY KEY,
      name       text NOT NULL CONSTRAINT contact_requests_name_length CHECK (char_length(name) BETWEEN 2 AND 50),
      email      text NOT NULL CONSTRAINT contact_requests_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
      phone      text CONSTRAINT contact_requests_phone_format CHECK (phone ~ '^1[3-9][0-9]{9}$'),
      subject    text NOT NULL CONSTRAINT contact_requests_subject_known CHECK (subject IN (
                   'account_registration', 'password_reset', 'technical_support', 'feature_request', 'other')),
      message    text NOT NULL CONSTRAINT contact_requests_message_length CHECK (char_length(message) BETWEEN 1 AND 1000),
      status     text NOT NULL DEFAULT 'pending' CONSTRAINT contact_requests_status_known CHECK (
                   status IN ('pending', 'reviewed', 'resolved')),
      admin_note text CONSTRAINT contact_requests_admin_note_length CHECK (char_length(admin_note) BETWEEN 1 AND 1000),
      ip_address text NOT NULL,
      user_agent text NOT NULL CONSTRAINT contact_requests_user_agent_length CHECK (char_length(user_agent) <= 512),
      -- The account that was made, or given a new password, in answer.
      user_id    bigint CONSTRAINT contact_requests_user_id_fkey REFERENCES users (id) ON DELETE SET NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX contact_requests_newest_idx ON contact_requests (created_at DESC, id DESC);
    CREATE INDEX contact_requests_user_id_idx ON contact_requests (user_id) WHERE user_id IS NOT NULL;

    CREATE TABLE contact_captchas (
      id            text CONSTRAINT contact_captchas_pkey PRIMARY KEY,
      answer_digest bytea NOT NULL,
      expires_at    timestamptz(3) NOT NULL
    );
    CREATE INDEX contact_captchas_expires_at_idx ON contact_captchas (expires_at);

    -- One row a submission that was counted. Apart from the requests, so that deleting one resets no limit.
    CREATE TABLE contact_attempts (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT contact_attempts_pkey PRIMARY KEY,
      email        text NOT NULL,
      address      text NOT NULL,
      accepted     boolean NOT NULL,
      attempted_at timestamptz(3) NOT NULL
    );
    CREATE INDEX contact_attempts_email_idx ON contact_attempts (email, attempted_at);
    CREATE INDEX contact_attempts_address_idx ON contact_attempts (address, attempted_at);
    CREATE INDEX contact_attempts_attempted_at_idx ON contact_attempts (attempted_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE contact_attempts, contact_captchas, contact_requests');
}
