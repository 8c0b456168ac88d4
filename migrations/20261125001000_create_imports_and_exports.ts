import type { Knex } from 'knex';

/** Imports of study sessions, exports of personal data, and stored responses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE session_imports (
      id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT session_imports_pkey PRIMARY KEY,
      user_id             bigint NOT NULL CONSTRAINT session_imports_user_id_fkey REFERENCES users (id),
      dry_run             boolean NOT NULL,
      state               text NOT NULL DEFAULT 'checking' CONSTRAINT session_imports_state_known CHECK (
                            state IN ('checking', 'writing', 'undoing', 'done', 'failed', 'undone')),
      -- Rows of the file that were read; of these, rows that were written or left out; sessions of this import in the database.
      rows                integer NOT NULL DEFAULT 0,
      processed           integer NOT NULL DEFAULT 0,
      imported            integer NOT NULL DEFAULT 0 CONSTRAINT session_imports_imported_positive CHECK (imported >= 0),
      report              jsonb,
      failure             jsonb,
      created_at          timestamptz(3) NOT NULL,
      -- Renewed by the process that runs the import; after a crash it is not.
      renewed_at          timestamptz(3) NOT NULL,
      finished_at         timestamptz(3),
      created_project_ids bigint[] NOT NULL DEFAULT '{}',
      CONSTRAINT session_imports_finished CHECK (
        (finished_at IS NOT NULL) = (state IN ('done', 'failed', 'undone')))
    );
    CREATE UNIQUE INDEX session_imports_one_running ON session_imports (user_id) WHERE finished_at IS NULL;
    CREATE INDEX session_imports_user_idx ON session_imports (user_id, id DESC);
    CREATE INDEX session_imports_finished_idx ON session_imports (finished_at) WHERE finished_at IS NOT NULL;

    -- Removed when the import is finished.
    CREATE TABLE session_import_rows (
      import_id        bigint NOT NULL
                       CONSTRAINT session_import_rows_import_id_fkey REFERENCES session_imports (id) ON DELETE CASCADE,
      row              integer NOT NULL,
      -- 0 if only the name is given.
      project_id       bigint NOT NULL,
      project_name     text NOT NULL,
      started_at       timestamptz(3) NOT NULL,
      ended_at         timestamptz(3) NOT NULL,
      note             text NOT NULL,
      source           text NOT NULL,
      time_zone        text NOT NULL,
      auto_stopped     boolean NOT NULL,
      -- The project that was found, and its owner.
      target_id        bigint,
      owner_id         bigint,
      problem          text,
      -- Whether an overlap let it begin later.
      moved            boolean NOT NULL DEFAULT false,
      -- The row or session that this row overlaps.
      other_row        integer,
      other_session_id bigint,
      CONSTRAINT session_import_rows_pkey PRIMARY KEY (import_id, row)
    );
  `);

  await knex.raw(`
    -- Archives of personal data, written by background jobs. Their files are stored beside the images, encrypted; deleting a row
    -- deletes the key.
    CREATE TABLE personal_exports (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT personal_exports_pkey PRIMARY KEY,
      user_id      bigint NOT NULL CONSTRAINT personal_exports_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      state        text NOT NULL DEFAULT 'pending'
                   CONSTRAINT personal_exports_state_known CHECK (state IN ('pending', 'ready', 'failed')),
      requested_at timestamptz(3) NOT NULL,
      finished_at  timestamptz(3),
      -- Of the latest attempt: the name of its files, and their key, encrypted with the secrets of the service.
      file_id      uuid CONSTRAINT personal_exports_file_id_key UNIQUE,
      sealed_key   text,
      parts        integer,
      bytes        bigint,
      CONSTRAINT personal_exports_finished CHECK ((state = 'pending') = (finished_at IS NULL)),
      CONSTRAINT personal_exports_ready CHECK (
        state <> 'ready' OR (file_id IS NOT NULL AND sealed_key IS NOT NULL AND parts > 0 AND bytes > 0))
    );
    CREATE INDEX personal_exports_user_id_idx ON personal_exports (user_id, requested_at);
    CREATE UNIQUE INDEX personal_exports_one_pending ON personal_exports (user_id) WHERE state = 'pending';
    CREATE INDEX personal_exports_finished_at_idx ON personal_exports (finished_at);
  `);

  await knex.raw(`
    -- Responses by Idempotency-Key, stored by the transaction of their effect.
    CREATE TABLE idempotency_keys (
      caller       text NOT NULL,
      path         text NOT NULL,
      key          text NOT NULL,
      request_hash bytea NOT NULL,
      status       integer,
      location     text,
      body         text,
      resource_id  bigint,
      created_at   timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT idempotency_keys_pkey PRIMARY KEY (caller, path, key)
    );
    CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

    -- For a statement that stores a key together with what the request creates.
    CREATE FUNCTION key_taken() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION USING ERRCODE = 'ZA409', MESSAGE = 'the idempotency key is taken';
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION key_taken;
    DROP TABLE idempotency_keys, personal_exports, session_import_rows, session_imports;
  `);
}
