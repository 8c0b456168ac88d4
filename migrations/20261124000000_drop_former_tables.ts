import type { Knex } from 'knex';

/** What only version 1.0 used: the outboxes of mails, and assignments by writing `projects.assigned_user_id`. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE contact_outbox, mail_outbox;
    ALTER TABLE contact_mailer DROP COLUMN failures;
    DROP TRIGGER projects_assigned_user_updated ON projects;
    DROP TRIGGER projects_assigned_user_inserted ON projects;
    DROP FUNCTION projects_assigned_user_written();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION projects_assigned_user_written() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER projects_assigned_user_inserted AFTER INSERT ON projects FOR EACH ROW
      WHEN (NEW.assigned_user_id IS NOT NULL AND pg_trigger_depth() = 0)
      EXECUTE FUNCTION projects_assigned_user_written();
    CREATE TRIGGER projects_assigned_user_updated AFTER UPDATE OF assigned_user_id ON projects FOR EACH ROW
      WHEN (NEW.assigned_user_id IS DISTINCT FROM OLD.assigned_user_id AND pg_trigger_depth() = 0)
      EXECUTE FUNCTION projects_assigned_user_written();
    ALTER TABLE contact_mailer ADD COLUMN failures integer NOT NULL DEFAULT 0;
    CREATE TABLE contact_outbox (
      request_id bigint CONSTRAINT contact_outbox_pkey PRIMARY KEY
                   CONSTRAINT contact_outbox_request_id_fkey REFERENCES contact_requests (id) ON DELETE CASCADE
    );
    CREATE TABLE mail_outbox (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT mail_outbox_pkey PRIMARY KEY,
      recipient  text NOT NULL CONSTRAINT mail_outbox_recipient_length CHECK (char_length(recipient) BETWEEN 3 AND 254),
      subject    text NOT NULL,
      body       text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      next_at    timestamptz(3) NOT NULL,
      attempts   integer NOT NULL DEFAULT 0
    );
    CREATE INDEX mail_outbox_next_at_idx ON mail_outbox (next_at);
  `);
}
