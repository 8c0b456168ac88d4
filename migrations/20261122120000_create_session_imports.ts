import type { Knex } from 'knex';

/** Imports of study records: their progress, and the rows of those that are under way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE session_imports (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT session_imports_pkey PRIMARY KEY,
      user_id     bigint NOT NULL CONSTRAINT session_imports_user_id_fkey REFERENCES users (id),
      dry_run     boolean NOT NULL,
      state       text NOT NULL DEFAULT 'checking' CONSTRAINT session_imports_state_known CHECK (
                    state IN ('checking', 'writing', 'undoing', 'done', 'failed', 'undone')),
      -- Rows of the file read so far; of them written or left out; records in the database now because of it.
      rows        integer NOT NULL DEFAULT 0,
      processed   integer NOT NULL DEFAULT 0,
      imported    integer NOT NULL DEFAULT 0 CONSTRAINT session_imports_imported_positive CHECK (imported >= 0),
      report      jsonb,
      failure     jsonb,
      created_at  timestamptz(3) NOT NULL,
      -- The process that runs it renews this; one that was not renewed for long has lost its process.
      renewed_at  timestamptz(3) NOT NULL,
      finished_at timestamptz(3),
      CONSTRAINT session_imports_finished CHECK (
        (finished_at IS NOT NULL) = (state IN ('done', 'failed', 'undone')))
    );
    CREATE UNIQUE INDEX session_imports_one_running ON session_imports (user_id) WHERE finished_at IS NULL;
    CREATE INDEX session_imports_user_idx ON session_imports (user_id, id DESC);
    CREATE INDEX session_imports_finished_idx ON session_imports (finished_at) WHERE finished_at IS NOT NULL;

    -- Removed when the import is finished. Logged like any table: after a crash they say what is to be undone.
    CREATE TABLE session_import_rows (
      import_id    bigint NOT NULL
                   CONSTRAINT session_import_rows_import_id_fkey REFERENCES session_imports (id) ON DELETE CASCADE,
      row          integer NOT NULL,
      -- 0 where only the name is given.
      project_id   bigint NOT NULL,
      project_name text NOT NULL,
      started_at   timestamptz(3) NOT NULL,
      ended_at     timestamptz(3) NOT NULL,
      note         text NOT NULL,
      source       text NOT NULL,
      time_zone    text NOT NULL,
      auto_stopped boolean NOT NULL,
      -- The project that was found, and its owner.
      target_id    bigint,
      owner_id     bigint,
      problem      text,
      -- The record that was written.
      session_id   bigint,
      CONSTRAINT session_import_rows_pkey PRIMARY KEY (import_id, row)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE session_import_rows; DROP TABLE session_imports;');
}
