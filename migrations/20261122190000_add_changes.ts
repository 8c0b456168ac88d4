import type { Knex } from 'knex';

/**
 * For synchronization: the transaction that changed a row last, and what a user no longer sees. The default of existing rows is
 * a constant, so that no table is rewritten: 0 is older than every cursor.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE projects ADD COLUMN changed_in xid8 NOT NULL DEFAULT '0';
    ALTER TABLE projects ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();
    ALTER TABLE study_sessions ADD COLUMN changed_in xid8 NOT NULL DEFAULT '0';
    ALTER TABLE study_sessions ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();

    -- Without foreign keys: they would lock the account after the project, against the order of locks. Rows expire.
    CREATE TABLE sync_deletions (
      user_id    bigint NOT NULL,
      changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      item_type  text NOT NULL,
      item_id    bigint NOT NULL,
      deleted_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT sync_deletions_pkey PRIMARY KEY (user_id, changed_in, item_type, item_id),
      CONSTRAINT sync_deletions_item_type_known CHECK (item_type IN ('project', 'session'))
    );
    CREATE INDEX sync_deletions_deleted_at_idx ON sync_deletions (deleted_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS projects_removed ON projects;
    DROP TABLE sync_deletions;
    ALTER TABLE study_sessions DROP COLUMN changed_in;
    ALTER TABLE projects DROP COLUMN changed_in;
  `);
}
