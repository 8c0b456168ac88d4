import type { Knex } from 'knex';

/** Time-based one-time passwords (RFC 6238) and recovery codes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users
      -- Encrypted by the service. Columns of the user, so that one conditional UPDATE decides each code.
      ADD COLUMN totp_secret text,
      ADD COLUMN totp_enabled boolean NOT NULL GENERATED ALWAYS AS (totp_secret IS NOT NULL) STORED,
      -- The time step of the last accepted code: that one and older ones are never accepted again.
      ADD COLUMN totp_last_step bigint,
      -- Wrong codes since the last accepted one.
      ADD COLUMN totp_wrong_codes integer NOT NULL DEFAULT 0,
      ADD CONSTRAINT users_totp_has_step CHECK (totp_secret IS NULL OR totp_last_step IS NOT NULL),
      ADD CONSTRAINT users_deleted_without_totp CHECK (deleted_at IS NULL OR totp_secret IS NULL);

    -- A secret that was handed out and not yet confirmed by a code.
    CREATE TABLE totp_setups (
      user_id    bigint CONSTRAINT totp_setups_pkey PRIMARY KEY
                   CONSTRAINT totp_setups_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      secret     text NOT NULL,
      expires_at timestamptz(3) NOT NULL
    );

    -- Deleted when used. SHA-256 of 80 random bits, which nobody can search.
    CREATE TABLE recovery_codes (
      user_id   bigint NOT NULL CONSTRAINT recovery_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
    );

    -- However a second factor is removed, nothing of it is left.
    CREATE FUNCTION users_totp_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM recovery_codes WHERE user_id = NEW.id;
      DELETE FROM totp_setups WHERE user_id = NEW.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_totp_removed AFTER UPDATE OF totp_secret ON users FOR EACH ROW
      WHEN (NEW.totp_secret IS NULL) EXECUTE FUNCTION users_totp_removed();

    CREATE TRIGGER users_totp_audit AFTER UPDATE OF totp_secret ON users FOR EACH ROW
      WHEN (OLD.totp_enabled <> NEW.totp_enabled AND current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('user', 'totp_enabled');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER users_totp_audit ON users;
    DROP TRIGGER users_totp_removed ON users;
    DROP FUNCTION users_totp_removed();
    DROP TABLE recovery_codes, totp_setups;
    ALTER TABLE users
      DROP CONSTRAINT users_deleted_without_totp,
      DROP CONSTRAINT users_totp_has_step,
      DROP COLUMN totp_enabled,
      DROP COLUMN totp_secret,
      DROP COLUMN totp_last_step,
      DROP COLUMN totp_wrong_codes;
  `);
}
