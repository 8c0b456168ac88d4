import type { Knex } from 'knex';

/** Imports of study sessions and rosters, exports of personal data, and stored responses. */
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
      tags             text[] NOT NULL,
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
    -- Lists of accounts from a school's information system.
    CREATE TABLE rosters (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT rosters_pkey PRIMARY KEY,
      -- Whose rights each change needs: the administrator, the sign-in and the request.
      user_id      bigint NOT NULL CONSTRAINT rosters_user_id_fkey REFERENCES users (id),
      sign_in_id   uuid NOT NULL,
      request_id   text NOT NULL,
      dry_run      boolean NOT NULL,
      missing      text NOT NULL CONSTRAINT rosters_missing_known CHECK (missing IN ('keep', 'deactivate')),
      -- How many missing accounts may be deactivated; null: the usual limit.
      deactivate_at_most integer,
      invite       boolean NOT NULL,
      format       text NOT NULL CONSTRAINT rosters_format_known CHECK (format IN ('csv', 'oneroster')),
      -- The columns that are read, and those that are not.
      columns      jsonb NOT NULL,
      state        text NOT NULL DEFAULT 'receiving' CONSTRAINT rosters_state_known CHECK (
                     state IN ('receiving', 'checking', 'writing', 'done', 'failed', 'stopped')),
      -- Rows of the file; of these and the missing accounts, those that were applied or left out; those with a problem.
      rows         integer NOT NULL,
      processed    integer NOT NULL DEFAULT 0,
      problems     integer NOT NULL DEFAULT 0,
      counts       jsonb,
      errors_count integer NOT NULL,
      errors       jsonb NOT NULL,
      failure      jsonb,
      created_at   timestamptz(3) NOT NULL,
      finished_at  timestamptz(3),
      CONSTRAINT rosters_finished CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'stopped')))
    );
    CREATE UNIQUE INDEX rosters_one_running ON rosters ((true)) WHERE finished_at IS NULL;

    CREATE TABLE roster_rows (
      roster_id    bigint NOT NULL CONSTRAINT roster_rows_roster_id_fkey REFERENCES rosters (id) ON DELETE CASCADE,
      -- As in the file; missing accounts follow.
      row          integer NOT NULL,
      username     text,
      email        text,
      display_name text,
      external_id  text,
      -- Null if the file has none.
      group_names  text[],
      -- Found by the check: the account, and the difference.
      kind         text CONSTRAINT roster_rows_kind_known CHECK (kind IN ('new', 'existing', 'missing', 'left_out')),
      user_id      bigint,
      changes      jsonb NOT NULL DEFAULT '[]',
      joins        text[] NOT NULL DEFAULT '{}',
      leaves       text[] NOT NULL DEFAULT '{}',
      settled      boolean NOT NULL DEFAULT false,
      problem      jsonb,
      CONSTRAINT roster_rows_pkey PRIMARY KEY (roster_id, row)
    );
    CREATE INDEX roster_rows_pending_idx ON roster_rows (roster_id, row) WHERE NOT settled;
    CREATE INDEX roster_rows_user_id_idx ON roster_rows (user_id) WHERE user_id IS NOT NULL;

    -- Accounts that a roster has named: only these can be missing in a later one.
    CREATE TABLE roster_accounts (
      user_id     bigint CONSTRAINT roster_accounts_pkey PRIMARY KEY
                  CONSTRAINT roster_accounts_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      external_id text CONSTRAINT roster_accounts_external_id_key UNIQUE
                  CONSTRAINT roster_accounts_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255),
      -- The groups that rosters have added the account to.
      group_ids   bigint[] NOT NULL DEFAULT '{}',
      -- Whether a roster has deactivated it; only then does a later one activate it again.
      deactivated boolean NOT NULL DEFAULT false
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
    DROP TABLE idempotency_keys, personal_exports, roster_accounts, roster_rows, rosters, session_import_rows, session_imports;
  `);
}
