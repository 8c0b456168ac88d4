import type { Knex } from 'knex';

/** Sign-ins, their tokens and second factors, and links: by which users set a password or change their address, and to reports. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sign_ins (
      id            uuid CONSTRAINT sign_ins_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
      user_id       bigint NOT NULL CONSTRAINT sign_ins_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at    timestamptz(3) NOT NULL DEFAULT now(),
      expires_at    timestamptz(3) NOT NULL,
      revoked_at    timestamptz(3),
      -- The program that signed in stores the refresh token, or the browser in a cookie that only the service can read.
      token_storage text NOT NULL DEFAULT 'client' CONSTRAINT sign_ins_token_storage CHECK (
                      token_storage IN ('client', 'session_cookie', 'persistent_cookie')),
      -- For users to recognise their sign-ins.
      device        text NOT NULL DEFAULT '' CONSTRAINT sign_ins_device_length CHECK (char_length(device) <= 200),
      address       text NOT NULL DEFAULT '',
      -- NULL until the first refresh.
      last_used_at  timestamptz(3),
      -- The one of its user at that time: with a later one of the user, all earlier sign-ins have ended.
      generation    bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX sign_ins_user_id_idx ON sign_ins (user_id);
    CREATE INDEX sign_ins_expires_at_idx ON sign_ins (expires_at);
    CREATE INDEX sign_ins_revoked_at_idx ON sign_ins (revoked_at) WHERE revoked_at IS NOT NULL;

    CREATE TABLE refresh_tokens (
      token_hash bytea CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
      sign_in_id uuid NOT NULL CONSTRAINT refresh_tokens_sign_in_id_fkey REFERENCES sign_ins (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL,
      used_at    timestamptz(3)
    );
    CREATE INDEX refresh_tokens_sign_in_id_idx ON refresh_tokens (sign_in_id);

    -- Personal access tokens: long-lived, with few rights, for programs of a user. A calendar's secret address is a token that reads
    -- nothing else.
    CREATE TABLE personal_tokens (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT personal_tokens_pkey PRIMARY KEY,
      -- Each token has its own sign-in, so that whatever ends a user's sign-ins also ends their tokens.
      sign_in_id uuid NOT NULL CONSTRAINT personal_tokens_sign_in_id_key UNIQUE
                 CONSTRAINT personal_tokens_sign_in_id_fkey REFERENCES sign_ins (id) ON DELETE CASCADE,
      name       text NOT NULL CONSTRAINT personal_tokens_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      scopes     text[] NOT NULL CONSTRAINT personal_tokens_scopes_known CHECK (
                   scopes = '{calendar}' OR (
                     scopes <@ '{read,sessions:write,projects:write,admin}' AND cardinality(scopes) BETWEEN 1 AND 4)),
      token_hash bytea NOT NULL CONSTRAINT personal_tokens_token_hash_key UNIQUE
    );
  `);

  await knex.raw(`
    -- Sign-ins through the OpenID Connect provider that are in progress. A row is deleted when the browser comes back, and stored again
    -- with whom the provider has identified while the second factor is missing.
    CREATE TABLE sso_attempts (
      state_hash    bytea CONSTRAINT sso_attempts_pkey PRIMARY KEY,
      nonce         text NOT NULL,
      code_verifier text NOT NULL,
      identity      jsonb,
      expires_at    timestamptz(3) NOT NULL
    );
    CREATE INDEX sso_attempts_expires_at_idx ON sso_attempts (expires_at);

    CREATE TABLE sso_identities (
      issuer    text NOT NULL,
      subject   text NOT NULL CONSTRAINT sso_identities_subject_length CHECK (char_length(subject) BETWEEN 1 AND 255),
      user_id   bigint NOT NULL CONSTRAINT sso_identities_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      linked_at timestamptz(3) NOT NULL,
      -- The memberships that come from the provider: only these end when it no longer names the group.
      group_ids bigint[] NOT NULL DEFAULT '{}',
      CONSTRAINT sso_identities_pkey PRIMARY KEY (issuer, subject),
      CONSTRAINT sso_identities_user_id_key UNIQUE (user_id, issuer)
    );
  `);

  await knex.raw(`
    -- Notices sent to the owners of accounts since a day began, to limit their number.
    CREATE TABLE account_notices (
      user_id bigint NOT NULL CONSTRAINT account_notices_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      notice  text NOT NULL,
      since   timestamptz(3) NOT NULL,
      number  integer NOT NULL DEFAULT 1 CONSTRAINT account_notices_number_positive CHECK (number > 0),
      CONSTRAINT account_notices_pkey PRIMARY KEY (user_id, notice)
    );

    -- Where messages of a person go beside mail: address, secret and keyword, encrypted by the service.
    CREATE TABLE channels (
      user_id      bigint CONSTRAINT channels_pkey PRIMARY KEY
                   CONSTRAINT channels_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      destination  text NOT NULL,
      streak_hour  integer CONSTRAINT channels_streak_hour_known CHECK (streak_hour BETWEEN 0 AND 23),
      weekly       boolean NOT NULL,
      new_requests boolean NOT NULL,
      -- Nothing that happened before is sent to it.
      since        timestamptz(3) NOT NULL,
      last_sent_at timestamptz(3),
      failures     integer NOT NULL DEFAULT 0,
      error_code   text
    );

    -- The local day of the last message of each kind that a user chose, or of the decision not to send it.
    CREATE TABLE reminders (
      user_id bigint NOT NULL CONSTRAINT reminders_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      kind    text NOT NULL CONSTRAINT reminders_kind_known CHECK (kind IN ('streak', 'week')),
      via     text NOT NULL DEFAULT 'mail' CONSTRAINT reminders_via_known CHECK (via IN ('mail', 'channel')),
      day     date NOT NULL,
      CONSTRAINT reminders_pkey PRIMARY KEY (user_id, kind, via)
    );
  `);

  await knex.raw(`
    -- One row per failed attempt: counted over a rolling window, by account and by address, by all processes.
    CREATE TABLE sign_in_failures (
      id        bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sign_in_failures_pkey PRIMARY KEY,
      account   text NOT NULL,
      address   text NOT NULL,
      failed_at timestamptz(3) NOT NULL DEFAULT now(),
      -- Attempts that were counted while the account was already blocked.
      blocked   boolean NOT NULL DEFAULT false
    );
    CREATE INDEX sign_in_failures_account_idx ON sign_in_failures (account, failed_at);
    CREATE INDEX sign_in_failures_address_idx ON sign_in_failures (address, failed_at);
    CREATE INDEX sign_in_failures_failed_at_idx ON sign_in_failures (failed_at);

    -- Addresses from which accounts signed in.
    CREATE TABLE sign_in_addresses (
      user_id           bigint NOT NULL CONSTRAINT sign_in_addresses_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      -- Normalized; the /64 network of an IPv6 address.
      address           text NOT NULL,
      last_signed_in_at timestamptz(3) NOT NULL,
      CONSTRAINT sign_in_addresses_pkey PRIMARY KEY (user_id, address)
    );
    CREATE INDEX sign_in_addresses_last_signed_in_at_idx ON sign_in_addresses (last_signed_in_at);
  `);

  await knex.raw(`
    -- Secrets of second factors (RFC 6238) that are not yet confirmed by a code.
    CREATE TABLE totp_setups (
      user_id    bigint CONSTRAINT totp_setups_pkey PRIMARY KEY
                 CONSTRAINT totp_setups_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      secret     text NOT NULL,
      expires_at timestamptz(3) NOT NULL
    );

    -- SHA-256 of 80 random bits; deleted when used.
    CREATE TABLE recovery_codes (
      user_id   bigint NOT NULL CONSTRAINT recovery_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
    );
  `);

  await knex.raw(`
    -- Requested changes of e-mail addresses, until their link is opened.
    CREATE TABLE email_changes (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT email_changes_pkey PRIMARY KEY,
      user_id    bigint NOT NULL CONSTRAINT email_changes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      -- Both NULL once the change was made, replaced or cancelled: the row then only counts toward the limit.
      email      text,
      token_hash bytea CONSTRAINT email_changes_token_hash_key UNIQUE,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT email_changes_pending CHECK ((email IS NULL) = (token_hash IS NULL))
    );
    CREATE INDEX email_changes_user_id_idx ON email_changes (user_id, created_at);
    CREATE UNIQUE INDEX email_changes_one_pending ON email_changes (user_id) WHERE token_hash IS NOT NULL;
    CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at);

    -- Links for setting a password.
    CREATE TABLE account_links (
      id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT account_links_pkey PRIMARY KEY,
      user_id          bigint NOT NULL CONSTRAINT account_links_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      purpose          text NOT NULL CONSTRAINT account_links_purpose_known CHECK (purpose IN ('invitation', 'password_reset')),
      -- NULL once the link was used, replaced or cancelled: the row then only counts toward the limits.
      token_hash       bytea CONSTRAINT account_links_token_hash_key UNIQUE,
      by_administrator boolean NOT NULL,
      created_at       timestamptz(3) NOT NULL,
      expires_at       timestamptz(3) NOT NULL
    );
    CREATE INDEX account_links_user_id_idx ON account_links (user_id, created_at);
    CREATE UNIQUE INDEX account_links_one_pending ON account_links (user_id, purpose) WHERE token_hash IS NOT NULL;
    CREATE INDEX account_links_expires_at_idx ON account_links (expires_at);

    -- Links that show the report of a student to anyone; deleted when they end.
    CREATE TABLE report_links (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT report_links_pkey PRIMARY KEY,
      user_id      bigint NOT NULL CONSTRAINT report_links_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_by   bigint NOT NULL CONSTRAINT report_links_created_by_fkey REFERENCES users (id) ON DELETE CASCADE,
      token_hash   bytea NOT NULL CONSTRAINT report_links_token_hash_key UNIQUE,
      first_day    date NOT NULL,
      last_day     date NOT NULL,
      created_at   timestamptz(3) NOT NULL,
      expires_at   timestamptz(3) NOT NULL,
      last_used_at timestamptz(3),
      CONSTRAINT report_links_period CHECK (last_day >= first_day),
      CONSTRAINT report_links_lifetime CHECK (expires_at <= created_at + interval '366 days')
    );
    CREATE INDEX report_links_user_id_idx ON report_links (user_id);
    CREATE INDEX report_links_created_by_idx ON report_links (created_by);
    CREATE INDEX report_links_expires_at_idx ON report_links (expires_at);

    -- Requests for a password reset, until a job looks up the address: responses do the same work for every address.
    CREATE TABLE password_reset_requests (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT password_reset_requests_pkey PRIMARY KEY,
      email        text NOT NULL,
      locale       text NOT NULL CONSTRAINT password_reset_requests_locale_known CHECK (locale IN ('en', 'zh', 'zh-Hant')),
      requested_at timestamptz(3) NOT NULL
    );
  `);

  await knex.raw(`
    -- For changes of a user's rights: their running transactions end before it, and later ones see it. Those that do not end at once
    -- are cancelled, so that nobody can delay the loss of their rights. New ones wait behind this one; those that were cancelled wait
    -- for the lock of the negative key, which is held all the time.
    CREATE FUNCTION lock_rights(of_user bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      -- The first key separates these locks from all others.
      rights   CONSTANT integer := 7246107;
      key      CONSTANT integer := (of_user % 2147483647)::integer;
      patience CONSTANT text := current_setting('lock_timeout');
      started  CONSTANT timestamptz := clock_timestamp();
    BEGIN
      PERFORM pg_advisory_xact_lock(rights, -key);
      LOOP
        BEGIN
          PERFORM set_config('lock_timeout', '100ms', true);
          PERFORM pg_advisory_xact_lock(rights, key);
          PERFORM set_config('lock_timeout', patience, true);
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          IF patience <> '0' AND clock_timestamp() > started + patience::interval THEN
            RAISE;
          END IF;
        END;
        PERFORM pg_cancel_backend(l.pid) FROM pg_locks l
        WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = rights::oid AND l.objid = key::oid AND l.mode = 'ShareLock'
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
      END LOOP;
    END $$;
  `);

  await knex.raw(`
    -- Whether the rights of a request are still valid: null, or the error's code. Holds them until the commit by a shared lock, which must be
    -- taken first in a transaction, and in id order.
    CREATE FUNCTION actor_verdict(actor bigint, sign_in uuid, actor_role text) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      current_role_name text;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(7246107, (actor % 2147483647)::integer); -- as in lock_rights
      -- A separate statement, which sees what was committed while this one waited for the lock.
      SELECT u.role INTO current_role_name
      FROM users u JOIN sign_ins s ON s.user_id = u.id
      WHERE u.id = actor AND u.status = 'active' AND s.id = sign_in AND s.revoked_at IS NULL
        AND s.generation = u.sign_in_generation;
      RETURN CASE WHEN current_role_name IS NULL THEN 'ZA401' WHEN current_role_name <> actor_role THEN 'ZA403' END;
    END $$;

    -- The first statement of every transaction of a signed-in user. A transaction that revokes rights passes the users in "changes" and
    -- takes exclusive locks on their rights.
    CREATE FUNCTION verify_actor(actor bigint, sign_in uuid, actor_role text, changes bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      of_user bigint;
      verdict text;
    BEGIN
      FOR of_user IN SELECT DISTINCT u.id FROM unnest(changes || actor) AS u (id) ORDER BY u.id LOOP
        IF of_user = ANY (changes) THEN
          PERFORM lock_rights(of_user);
        END IF;
        IF of_user = actor THEN
          verdict := actor_verdict(actor, sign_in, actor_role);
        END IF;
      END LOOP;
      IF verdict IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = verdict, MESSAGE = 'the actor no longer has the rights of the request';
      END IF;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION verify_actor, actor_verdict, lock_rights;
    DROP TABLE reminders, channels, account_notices, sso_identities, sso_attempts, password_reset_requests, report_links, account_links, email_changes,
      recovery_codes, totp_setups, sign_in_addresses,
      sign_in_failures, personal_tokens, refresh_tokens, sign_ins;
  `);
}
