import type { Knex } from 'knex';

/** Accounts, and the sign-ins that hang on them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE users (
      id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT users_pkey PRIMARY KEY,
      username      text NOT NULL CONSTRAINT users_username_format CHECK (username ~ '^[A-Za-z0-9_.-]{3,32}$'),
      email         text CONSTRAINT users_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
      display_name  text NOT NULL CONSTRAINT users_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 50),
      role          text NOT NULL DEFAULT 'user' CONSTRAINT users_role_known CHECK (role IN ('admin', 'user')),
      status        text NOT NULL DEFAULT 'active' CONSTRAINT users_status_known CHECK (status IN ('active', 'inactive')),
      timezone      text NOT NULL DEFAULT 'UTC',
      password_hash text,
      created_at    timestamptz(3) NOT NULL DEFAULT now(),
      updated_at    timestamptz(3) NOT NULL DEFAULT now(),
      last_login_at timestamptz(3),
      deleted_at    timestamptz(3),
      -- A deleted account stays as an anonymous row, because study records name it.
      CONSTRAINT users_deleted_are_anonymous CHECK (
        deleted_at IS NULL OR (email IS NULL AND password_hash IS NULL AND status = 'inactive')),
      CONSTRAINT users_email_required CHECK (deleted_at IS NOT NULL OR email IS NOT NULL)
    );
    CREATE UNIQUE INDEX users_username_key ON users (lower(username));
    CREATE UNIQUE INDEX users_email_key ON users (lower(email));

    CREATE TABLE sign_ins (
      id         uuid CONSTRAINT sign_ins_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
      user_id    bigint NOT NULL CONSTRAINT sign_ins_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      revoked_at timestamptz(3)
    );
    CREATE INDEX sign_ins_user_id_idx ON sign_ins (user_id);
    CREATE INDEX sign_ins_expires_at_idx ON sign_ins (expires_at);

    CREATE TABLE refresh_tokens (
      token_hash bytea CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
      sign_in_id uuid NOT NULL CONSTRAINT refresh_tokens_sign_in_id_fkey REFERENCES sign_ins (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      used_at    timestamptz(3)
    );
    CREATE INDEX refresh_tokens_sign_in_id_idx ON refresh_tokens (sign_in_id);

    -- One row a failed try: counted over a rolling window, by account and by address, in every process alike.
    CREATE TABLE sign_in_failures (
      id        bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sign_in_failures_pkey PRIMARY KEY,
      account   text NOT NULL,
      address   text NOT NULL,
      failed_at timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX sign_in_failures_account_idx ON sign_in_failures (account, failed_at);
    CREATE INDEX sign_in_failures_address_idx ON sign_in_failures (address, failed_at);
    CREATE INDEX sign_in_failures_failed_at_idx ON sign_in_failures (failed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE sign_in_failures, refresh_tokens, sign_ins, users');
}
