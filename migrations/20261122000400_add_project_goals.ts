import type { Knex } from 'knex';

/** When a project is due and how much of it a week should bring, and where the plan towards the due date starts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE projects
      ADD COLUMN due_date date
        CONSTRAINT projects_due_date_range CHECK (due_date BETWEEN '2000-01-01' AND '2199-12-31'),
      ADD COLUMN weekly_goal_hours numeric(7,2)
        CONSTRAINT projects_weekly_goal_range CHECK (weekly_goal_hours > 0 AND weekly_goal_hours <= 10000),
      ADD COLUMN plan_started_at timestamptz(3) NOT NULL DEFAULT now(),
      ADD COLUMN plan_seconds bigint NOT NULL DEFAULT 0
        CONSTRAINT projects_plan_seconds_positive CHECK (plan_seconds >= 0);
    CREATE INDEX projects_due_idx ON projects (due_date, id) WHERE due_date IS NOT NULL AND deleted_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE TRIGGER projects_audit AFTER INSERT OR DELETE OR UPDATE OF
        user_id, name, description, status, category, target_hours, rating_standard, image, deleted_at
      ON projects FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('project', 'user_id', 'name', 'description', 'status', 'category', 'target_hours',
        'rating_standard', 'image', 'deleted_at');
    DROP TRIGGER IF EXISTS projects_plan ON projects;
    DROP FUNCTION IF EXISTS projects_plan();
    ALTER TABLE projects DROP COLUMN plan_seconds, DROP COLUMN plan_started_at, DROP COLUMN weekly_goal_hours,
      DROP COLUMN due_date;
  `);
}
