import type { Knex } from 'knex';

/** The contact form: requests, captchas and limits. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE contact_requests (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT contact_requests_pkey PRIMARY KEY,
      name        text NOT NULL CONSTRAINT contact_requests_name_length CHECK (char_length(name) BETWEEN 2 AND 50),
      email       text NOT NULL CONSTRAINT contact_requests_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
      phone       text CONSTRAINT contact_requests_phone_format CHECK (phone ~ '^1[3-9][0-9]{9}$'),
      subject     text NOT NULL CONSTRAINT contact_requests_subject_known CHECK (subject IN (
                    'account_registration', 'password_reset', 'technical_support', 'feature_request', 'other')),
      message     text NOT NULL CONSTRAINT contact_requests_message_length CHECK (char_length(message) BETWEEN 1 AND 1000),
      status      text NOT NULL DEFAULT 'pending' CONSTRAINT contact_requests_status_known CHECK (
                    status IN ('pending', 'reviewed', 'resolved')),
      admin_note  text CONSTRAINT contact_requests_admin_note_length CHECK (char_length(admin_note) BETWEEN 1 AND 1000),
      ip_address  text NOT NULL,
      user_agent  text NOT NULL CONSTRAINT contact_requests_user_agent_length CHECK (char_length(user_agent) <= 512),
      -- The account that was created, or given a new password, in response.
      user_id     bigint CONSTRAINT contact_requests_user_id_fkey REFERENCES users (id) ON DELETE SET NULL,
      created_at  timestamptz(3) NOT NULL,
      updated_at  timestamptz(3) NOT NULL,
      row_version bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      -- The administrator who last changed the status or the note.
      handled_by  bigint CONSTRAINT contact_requests_handled_by_fkey REFERENCES users (id) ON DELETE SET NULL
    );
    CREATE INDEX contact_requests_newest_idx ON contact_requests (created_at DESC, id DESC);
    CREATE INDEX contact_requests_email_idx ON contact_requests (lower(email), created_at DESC, id DESC);
    CREATE INDEX contact_requests_user_id_idx ON contact_requests (user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX contact_requests_handled_by_idx ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;
    -- Only for columns that administrators edit.
    CREATE TRIGGER contact_requests_row_version BEFORE UPDATE OF status, admin_note, user_id, handled_by ON contact_requests
      FOR EACH ROW EXECUTE FUNCTION touch_row();

    CREATE TABLE contact_captchas (
      id            text CONSTRAINT contact_captchas_pkey PRIMARY KEY,
      answer_digest bytea NOT NULL,
      expires_at    timestamptz(3) NOT NULL
    );
    CREATE INDEX contact_captchas_expires_at_idx ON contact_captchas (expires_at);

    -- One row per counted submission, separate from the requests, so that deleting a request resets no limit. Rows of the last two
    -- hours only.
    CREATE TABLE contact_attempts (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT contact_attempts_pkey PRIMARY KEY,
      email        text NOT NULL,
      address      text NOT NULL,
      accepted     boolean NOT NULL,
      attempted_at timestamptz(3) NOT NULL,
      purpose      text NOT NULL DEFAULT 'contact'
                   CONSTRAINT contact_attempts_purpose_known CHECK (purpose IN ('contact', 'password_reset'))
    );
    CREATE INDEX contact_attempts_email_idx ON contact_attempts (email, attempted_at);
    CREATE INDEX contact_attempts_address_idx ON contact_attempts (address, attempted_at);
    CREATE INDEX contact_attempts_attempted_at_idx ON contact_attempts (attempted_at);

    -- One row for all processes: when the next mail about requests may be sent.
    CREATE TABLE contact_mailer (
      only_row boolean DEFAULT true CONSTRAINT contact_mailer_pkey PRIMARY KEY CONSTRAINT contact_mailer_one_row CHECK (only_row),
      next_at  timestamptz(3) NOT NULL DEFAULT 'epoch'
    );
    INSERT INTO contact_mailer DEFAULT VALUES;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE contact_mailer, contact_attempts, contact_captchas, contact_requests');
}
