import type { Knex } from 'knex';

/** For the open goals of a user, however many other projects they own or are assigned to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX projects_owner_goals_idx ON projects (user_id, due_date)
      WHERE due_date IS NOT NULL AND status = 'active' AND deleted_at IS NULL;
    CREATE INDEX projects_goals_idx ON projects (id)
      WHERE due_date IS NOT NULL AND status = 'active' AND deleted_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP INDEX projects_goals_idx, projects_owner_goals_idx`);
}
