import type { Knex } from 'knex';

/**
 * A target that is reached is an achievement of all who took part. One statement may reach several targets: their rows
 * are inserted for all of its projects together, in user order, so that no two transactions deadlock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION projects_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_achievements (project_id, achievement_id)
      SELECT NEW.id, step FROM generate_series(1, study_time_steps(NEW.current_seconds)) AS step
      UNION ALL SELECT NEW.id, 10 WHERE NEW.progress = 100
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;

    CREATE FUNCTION projects_reach_targets() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      reached bigint[] := ARRAY(
        SELECT n.id FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.progress = 100 AND o.progress < 100);
    BEGIN
      IF reached <> '{}' THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT DISTINCT s.user_id, 10 FROM study_sessions s
        WHERE s.project_id = ANY (reached) AND s.ended_at IS NOT NULL
        ORDER BY s.user_id
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_reach_targets AFTER UPDATE ON projects
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION projects_reach_targets();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER projects_reach_targets ON projects;
    DROP FUNCTION projects_reach_targets();
    CREATE OR REPLACE FUNCTION projects_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_achievements (project_id, achievement_id)
      SELECT NEW.id, step FROM generate_series(1, study_time_steps(NEW.current_seconds)) AS step
      UNION ALL SELECT NEW.id, 10 WHERE NEW.progress = 100
      ON CONFLICT DO NOTHING;
      IF NEW.progress = 100 AND OLD.progress < 100 THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT DISTINCT s.user_id, 10 FROM study_sessions s WHERE s.project_id = NEW.id AND s.ended_at IS NOT NULL
        ORDER BY s.user_id
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
  `);
}
