import type { Knex } from 'knex';

/**
 * Users who are taken off a project keep their records and nothing more: the timer ends, and the moment and the project's
 * name are kept, because later changes of the project are not theirs to see.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Only of users who do not see the project any more. Without a foreign key on the user, which would lock the account
    -- after the project, against the order of locks; accounts are never removed.
    CREATE TABLE project_membership_ends (
      user_id      bigint NOT NULL,
      project_id   bigint NOT NULL
                   CONSTRAINT project_membership_ends_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      ended_at     timestamptz(3) NOT NULL,
      project_name text NOT NULL,
      CONSTRAINT project_membership_ends_pkey PRIMARY KEY (user_id, project_id)
    );

    -- In plpgsql, so that it is never inlined: it sees what was committed while its statement waited for the project.
    CREATE FUNCTION is_assigned(to_project bigint, of_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM project_assignments a WHERE a.project_id = to_project AND a.user_id = of_user);
    END $$;

    -- Writers hold the project. One statement for all timers: the users' totals are locked before the project is written.
    CREATE FUNCTION project_memberships_ended() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      moment timestamptz := clock_timestamp();
    BEGIN
      INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
      SELECT c.user_id, c.project_id, moment, p.name
      FROM changed c JOIN projects p ON p.id = c.project_id JOIN users u ON u.id = c.user_id
      WHERE c.user_id <> c.owner_id AND u.role <> 'admin'
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET ended_at = excluded.ended_at, project_name = excluded.project_name;
      -- At least a second and at most a day, as every record.
      UPDATE study_sessions s
      SET ended_at = least(greatest(moment, s.started_at + interval '1 second'), s.started_at + interval '24 hours')
      FROM changed c
      JOIN project_membership_ends e ON e.user_id = c.user_id AND e.project_id = c.project_id
      WHERE s.user_id = c.user_id AND s.project_id = c.project_id AND s.ended_at IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER project_memberships_ended AFTER DELETE ON project_assignments
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_memberships_ended();

    CREATE FUNCTION project_memberships_begun() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM project_membership_ends e USING changed c WHERE e.user_id = c.user_id AND e.project_id = c.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER project_memberships_begun AFTER INSERT ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_memberships_begun();

    -- When and under which name earlier members left is not known any more: now counts.
    INSERT INTO project_membership_ends (user_id, project_id, ended_at, project_name)
    SELECT s.user_id, p.id, now(), p.name
    FROM (SELECT DISTINCT r.user_id, r.project_id FROM study_sessions r WHERE r.user_id <> r.owner_id) AS s
    JOIN projects p ON p.id = s.project_id JOIN users u ON u.id = s.user_id
    WHERE u.role <> 'admin'
      AND NOT EXISTS (SELECT FROM project_assignments a WHERE a.project_id = s.project_id AND a.user_id = s.user_id);
    UPDATE study_sessions s
    SET ended_at = least(greatest(now(), s.started_at + interval '1 second'), s.started_at + interval '24 hours')
    FROM project_membership_ends e
    WHERE s.user_id = e.user_id AND s.project_id = e.project_id AND s.ended_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER project_memberships_begun ON project_assignments;
    DROP FUNCTION project_memberships_begun();
    DROP TRIGGER project_memberships_ended ON project_assignments;
    DROP FUNCTION project_memberships_ended();
    DROP FUNCTION is_assigned(bigint, bigint);
    DROP TABLE project_membership_ends;
  `);
}
