import type { Knex } from 'knex';

/**
 * A page of a project's members is read from an index. `has_records` is stored because recording would write all indexes of a row
 * if the number of its records were part of one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE project_user_totals
      ADD COLUMN has_records boolean GENERATED ALWAYS AS (sessions_count > 0) STORED NOT NULL;
    CREATE INDEX project_user_totals_members_idx ON project_user_totals (project_id, has_records, user_id);
    DROP INDEX project_user_totals_project_idx;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX project_user_totals_project_idx ON project_user_totals (project_id);
    DROP INDEX project_user_totals_members_idx;
    ALTER TABLE project_user_totals DROP COLUMN has_records;
  `);
}
