import type { Knex } from 'knex';

/** Imports that leave out or shorten rows, and create projects. Stored reports get the figures that were not counted then. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE session_import_rows
      ADD COLUMN trimmed boolean NOT NULL DEFAULT false,
      ADD COLUMN other_row integer,
      ADD COLUMN other_session_id bigint;
    ALTER TABLE session_imports ADD COLUMN created_project_ids bigint[] NOT NULL DEFAULT '{}';
    UPDATE session_imports SET report = '{"skipped": 0, "trimmed": 0, "invalid": 0, "created_projects": 0, "seconds": 0,
      "notices": [], "projects": [], "sessions": []}'::jsonb || report
    WHERE report IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE session_imports DROP COLUMN created_project_ids;
    ALTER TABLE session_import_rows DROP COLUMN trimmed, DROP COLUMN other_row, DROP COLUMN other_session_id;
  `);
}
