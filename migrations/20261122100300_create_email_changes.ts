import type { Knex } from 'knex';

/** Requested changes of e-mail addresses, until their link is opened. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

    -- A link requested before the account was secured (new password, new address, deactivated, deleted) must not work after.
    CREATE FUNCTION users_cancel_email_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE email_changes SET email = NULL, token_hash = NULL WHERE user_id = NEW.id AND token_hash IS NOT NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_cancel_email_changes AFTER UPDATE OF email, password_hash, status ON users FOR EACH ROW
      WHEN ((OLD.email, OLD.password_hash, OLD.status) IS DISTINCT FROM (NEW.email, NEW.password_hash, NEW.status))
      EXECUTE FUNCTION users_cancel_email_changes();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER users_cancel_email_changes ON users;
    DROP FUNCTION users_cancel_email_changes();
    DROP TABLE email_changes;
  `);
}
