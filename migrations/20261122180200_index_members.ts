import type { Knex } from 'knex';

/** The members of a project come from their totals, and a project that is deleted takes these along. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX project_user_totals_project_idx ON project_user_totals (project_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX project_user_totals_project_idx');
}
