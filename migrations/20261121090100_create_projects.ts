import type { Knex } from 'knex';

/** Projects as they first were: one assigned user, in a field of the project. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE projects (
      id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT projects_pkey PRIMARY KEY,
      user_id          bigint NOT NULL CONSTRAINT projects_user_id_fkey REFERENCES users (id),
      name             text NOT NULL CONSTRAINT projects_name_length CHECK (char_length(name) BETWEEN 2 AND 50),
      description      text NOT NULL DEFAULT '' CONSTRAINT projects_description_length CHECK (char_length(description) <= 500),
      status           text NOT NULL DEFAULT 'active'
                       CONSTRAINT projects_status_known CHECK (status IN ('active', 'completed', 'paused')),
      category         text NOT NULL DEFAULT 'other'
                       CONSTRAINT projects_category_known CHECK (category IN ('academic', 'skill', 'hobby', 'other')),
      target_hours     numeric(8, 2) NOT NULL DEFAULT 0
                       CONSTRAINT projects_target_hours_range CHECK (target_hours BETWEEN 0 AND 100000),
      rating_standard  text NOT NULL DEFAULT 'normal'
                       CONSTRAINT projects_rating_standard_known CHECK (rating_standard IN ('excellent', 'good', 'normal')),
      image            text,
      assigned_user_id bigint CONSTRAINT projects_assigned_user_id_fkey REFERENCES users (id) ON DELETE SET NULL,
      current_seconds  bigint NOT NULL DEFAULT 0 CONSTRAINT projects_current_seconds_positive CHECK (current_seconds >= 0),
      current_hours    numeric(12, 2) NOT NULL GENERATED ALWAYS AS (round(current_seconds / 3600.0, 2)) STORED,
      progress         numeric(5, 2) NOT NULL GENERATED ALWAYS AS (
                         CASE WHEN target_hours > 0 THEN least(100, round(current_seconds / 36.0 / target_hours, 2)) ELSE 0 END
                       ) STORED,
      created_at       timestamptz(3) NOT NULL DEFAULT now(),
      updated_at       timestamptz(3) NOT NULL DEFAULT now(),
      deleted_at       timestamptz(3)
    ) WITH (fillfactor = 80); -- every record rewrites its project: room for the new row on the same page spares the indexes
    CREATE INDEX projects_owner_list_idx ON projects (user_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX projects_recent_idx ON projects (created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX projects_trash_idx ON projects (user_id, deleted_at DESC) WHERE deleted_at IS NOT NULL;
    CREATE INDEX projects_assigned_user_id_idx ON projects (assigned_user_id) WHERE assigned_user_id IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE projects');
}
