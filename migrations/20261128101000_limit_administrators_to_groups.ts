import type { Knex } from 'knex';

/** Administrators may be limited to groups: they have the rights of an ordinary user, and those over the members of these groups. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of administrators only: a process of the previous version may leave 'groups' on a demoted one.
    ALTER TABLE users ADD admin_scope text NOT NULL DEFAULT 'all' CONSTRAINT users_admin_scope_known CHECK (admin_scope IN ('all', 'groups'));

    -- The groups to which administrators are limited.
    CREATE TABLE admin_groups (
      user_id  bigint NOT NULL CONSTRAINT admin_groups_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      group_id bigint NOT NULL CONSTRAINT admin_groups_group_id_fkey REFERENCES groups (id) ON DELETE CASCADE,
      CONSTRAINT admin_groups_pkey PRIMARY KEY (user_id, group_id)
    );
    CREATE INDEX admin_groups_group_id_idx ON admin_groups (group_id);

    -- The role with which somebody acts. The service's own role of limited administrators is none of the accounts': whatever asks for
    -- administrators leaves them out.
    CREATE FUNCTION acting_role(account_role text, admin_scope text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN account_role = 'admin' AND admin_scope = 'groups' THEN 'class_admin' ELSE account_role END
    $$;

    -- Whether a project is assigned to a student of a limited administrator, as of the latest commit: see is_assigned.
    CREATE FUNCTION is_assigned_in_scope(project bigint, administrator bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      RETURN EXISTS (
        SELECT FROM project_assignments a JOIN group_members m ON m.user_id = a.user_id
        JOIN admin_groups ag ON ag.group_id = m.group_id JOIN users u ON u.id = a.user_id AND u.role = 'user' AND u.status = 'active'
        WHERE a.project_id = project AND ag.user_id = administrator);
    END $$;
  `);
  await actorVerdict(knex, 'acting_role(u.role, u.admin_scope)');
}

export async function down(knex: Knex): Promise<void> {
  await actorVerdict(knex, 'u.role');
  await knex.raw(`
    DROP FUNCTION is_assigned_in_scope, acting_role;
    DROP TABLE admin_groups;
    ALTER TABLE users DROP admin_scope;
  `);
}

async function actorVerdict(knex: Knex, role: string): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION actor_verdict(actor bigint, sign_in uuid, actor_role text) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      current_role_name text;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(7246107, (actor % 2147483647)::integer); -- as in lock_rights
      -- A separate statement, which sees what was committed while this one waited for the lock.
      SELECT ${role} INTO current_role_name
      FROM users u JOIN sign_ins s ON s.user_id = u.id
      WHERE u.id = actor AND u.status = 'active' AND s.id = sign_in AND s.revoked_at IS NULL
        AND s.generation = u.sign_in_generation;
      RETURN CASE WHEN current_role_name IS NULL THEN 'ZA401' WHEN current_role_name <> actor_role THEN 'ZA403' END;
    END $$;
  `);
}
