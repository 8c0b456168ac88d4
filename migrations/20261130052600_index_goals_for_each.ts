import type { Knex } from 'knex';

/** Assigned projects are goals of a user only if each is to reach the target: the index contains these, also those without a plan. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX projects_each_idx ON projects (id) INCLUDE (target_hours, due_date, weekly_goal_hours)
      WHERE target_scope = 'each' AND status = 'active' AND deleted_at IS NULL;
    DROP INDEX projects_goals_idx;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX projects_goals_idx ON projects (id)
      WHERE (due_date IS NOT NULL OR weekly_goal_hours IS NOT NULL) AND status = 'active' AND deleted_at IS NULL;
    DROP INDEX projects_each_idx;
  `);
}
