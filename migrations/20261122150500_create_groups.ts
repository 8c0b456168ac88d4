import type { Knex } from 'knex';

/** Groups of users, such as classes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE groups (
      id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT groups_pkey PRIMARY KEY,
      name          text NOT NULL CONSTRAINT groups_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      -- Kept by a trigger. The bound is that of the users in one batch of assignments.
      members_count integer NOT NULL DEFAULT 0
                    CONSTRAINT groups_members_limited CHECK (members_count BETWEEN 0 AND 1000),
      created_at    timestamptz(3) NOT NULL DEFAULT now(),
      updated_at    timestamptz(3) NOT NULL DEFAULT now(),
      row_version   bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
    );
    CREATE UNIQUE INDEX groups_name_key ON groups (lower(name));

    CREATE TABLE group_members (
      group_id bigint NOT NULL CONSTRAINT group_members_group_id_fkey REFERENCES groups (id) ON DELETE CASCADE,
      user_id  bigint NOT NULL CONSTRAINT group_members_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      added_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id)
    );
    CREATE INDEX group_members_user_id_idx ON group_members (user_id);

    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE group_members, groups;
    DELETE FROM audit_log WHERE target_type = 'group';
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export'));
  `);
}
