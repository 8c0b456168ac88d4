import type { Knex } from 'knex';

/** Achievements of users and projects. `earned_at`: when the record ended that earned it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE project_achievements (
      project_id     bigint NOT NULL
                     CONSTRAINT project_achievements_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      achievement_id integer NOT NULL CONSTRAINT project_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT project_achievements_pkey PRIMARY KEY (project_id, achievement_id)
    );

    -- Without a foreign key: a project's target is reached by all who took part, and a key would lock their accounts after the
    -- project, against the order of locks; accounts are never removed.
    CREATE TABLE user_achievements (
      user_id        bigint NOT NULL,
      achievement_id integer NOT NULL CONSTRAINT user_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT user_achievements_pkey PRIMARY KEY (user_id, achievement_id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE user_achievements, project_achievements');
}
