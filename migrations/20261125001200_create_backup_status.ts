import type { Knex } from 'knex';

/** What became of the scheduled backups. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE backup_status (
      -- There is one row.
      id            boolean NOT NULL DEFAULT true CONSTRAINT backup_status_pkey PRIMARY KEY
                      CONSTRAINT backup_status_single CHECK (id),
      -- The last complete backup.
      started_at    timestamptz(3),
      finished_at   timestamptz(3),
      file          text CONSTRAINT backup_status_file_length CHECK (char_length(file) BETWEEN 1 AND 100),
      bytes         bigint CONSTRAINT backup_status_bytes_range CHECK (bytes > 0),
      -- Failed attempts since then.
      failures      integer NOT NULL DEFAULT 0 CONSTRAINT backup_status_failures_range CHECK (failures >= 0),
      failing_since timestamptz(3),
      failed_at     timestamptz(3),
      error         text CONSTRAINT backup_status_error_length CHECK (char_length(error) BETWEEN 1 AND 200),
      CONSTRAINT backup_status_complete CHECK (num_nulls(started_at, finished_at, file, bytes) IN (0, 4)),
      CONSTRAINT backup_status_failing CHECK (num_nulls(failing_since, failed_at, error) = CASE failures WHEN 0 THEN 3 ELSE 0 END)
    );
    INSERT INTO backup_status DEFAULT VALUES;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE backup_status;
  `);
}
