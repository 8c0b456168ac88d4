import type { Knex } from 'knex';

/** The part of each user in a project: lists show it with every project and sort by it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without a foreign key on the user, which would lock the account after the project, against the order of locks;
    -- accounts are never removed.
    CREATE TABLE project_user_totals (
      user_id        bigint NOT NULL,
      project_id     bigint NOT NULL
                     CONSTRAINT project_user_totals_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      seconds        bigint NOT NULL CONSTRAINT project_user_totals_seconds_positive CHECK (seconds >= 0),
      hours          numeric(12,2) NOT NULL GENERATED ALWAYS AS (round(seconds / 3600.0, 2)) STORED,
      sessions_count integer NOT NULL CONSTRAINT project_user_totals_sessions_count_positive CHECK (sessions_count >= 0),
      last_session   timestamptz(3),
      CONSTRAINT project_user_totals_pkey PRIMARY KEY (user_id, project_id)
    ) WITH (fillfactor = 50);

    INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count, last_session)
    SELECT s.user_id, s.project_id, sum(s.duration_seconds), count(*), max(s.ended_at)
    FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.user_id, s.project_id;

    CREATE INDEX projects_unassigned_idx ON projects (created_at DESC, id DESC)
      WHERE deleted_at IS NULL AND assigned_user_id IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX projects_unassigned_idx;
    DROP TRIGGER IF EXISTS project_user_totals_added ON study_sessions;
    DROP TRIGGER IF EXISTS project_user_totals_changed ON study_sessions;
    DROP TRIGGER IF EXISTS project_user_totals_removed ON study_sessions;
    DROP FUNCTION IF EXISTS project_user_totals_added();
    DROP FUNCTION IF EXISTS project_user_totals_changed();
    DROP FUNCTION IF EXISTS project_user_totals_removed();
    DROP FUNCTION IF EXISTS last_session_of(bigint, bigint);
    DROP TABLE project_user_totals;
  `);
}
