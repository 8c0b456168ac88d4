import type { Knex } from 'knex';

/**
 * Any number of assigned users. Copies the single assigned user of each project into the table of assignments; from then on
 * the database keeps `projects.assigned_user_id` equal to the first of them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Assignments repeat owner and creation time of the project, so that one index contains a user's list in the usual order.
    -- Neither ever changes; the foreign key guarantees that the copies are equal.
    ALTER TABLE projects ADD CONSTRAINT projects_list_key UNIQUE (id, user_id, created_at);

    CREATE TABLE project_assignments (
      id                 bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT project_assignments_pkey PRIMARY KEY,
      project_id         bigint NOT NULL,
      user_id            bigint NOT NULL
                         CONSTRAINT project_assignments_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      position           integer NOT NULL,
      owner_id           bigint NOT NULL,
      project_created_at timestamptz(3) NOT NULL,
      assigned_at        timestamptz(3) NOT NULL DEFAULT now(),
      created_at         timestamptz(3) NOT NULL DEFAULT now(),
      updated_at         timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT project_assignments_pair_key UNIQUE (project_id, user_id),
      CONSTRAINT project_assignments_project_fkey FOREIGN KEY (project_id, owner_id, project_created_at)
        REFERENCES projects (id, user_id, created_at) ON DELETE CASCADE
    );
    CREATE INDEX project_assignments_list_idx
      ON project_assignments (user_id, project_created_at DESC, project_id DESC) INCLUDE (owner_id);

    -- Former assignments, of users who no longer see the project. Without a foreign key on the user, which would lock the account
    -- after the project, against the order of locks; accounts are never removed.
    CREATE TABLE project_membership_ends (
      user_id      bigint NOT NULL,
      project_id   bigint NOT NULL
                   CONSTRAINT project_membership_ends_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      ended_at     timestamptz(3) NOT NULL,
      project_name text NOT NULL,
      CONSTRAINT project_membership_ends_pkey PRIMARY KEY (user_id, project_id)
    );

    -- What no longer belongs to a user's synchronized data. Without foreign keys, for the same reason; rows expire.
    CREATE TABLE sync_deletions (
      user_id    bigint NOT NULL,
      changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      item_type  text NOT NULL,
      item_id    bigint NOT NULL,
      deleted_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT sync_deletions_pkey PRIMARY KEY (user_id, changed_in, item_type, item_id),
      CONSTRAINT sync_deletions_item_type_known CHECK (item_type IN ('project', 'session'))
    );
    CREATE INDEX sync_deletions_deleted_at_idx ON sync_deletions (deleted_at);
  `);

  await knex.raw(`
    -- Copies the single assignments. A deleted project has none.
    INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
    SELECT p.id, p.assigned_user_id, 1, p.user_id, p.created_at
    FROM projects p
    WHERE p.assigned_user_id IS NOT NULL AND p.deleted_at IS NULL
    ORDER BY p.id
    ON CONFLICT (project_id, user_id) DO NOTHING;
    UPDATE projects SET assigned_user_id = NULL WHERE assigned_user_id IS NOT NULL AND deleted_at IS NOT NULL;

    -- From now on the column is derived from assignments, which have a foreign key themselves.
    ALTER TABLE projects DROP CONSTRAINT projects_assigned_user_id_fkey;
    DROP INDEX projects_assigned_user_id_idx;
  `);

  await knex.raw(`
    -- projects.assigned_user_id is the first assigned user. The update also gives the project a new row version, once per transaction.
    CREATE FUNCTION project_assignments_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p SET assigned_user_id = first.user_id
      FROM (SELECT DISTINCT c.project_id FROM changed c) AS touched
      LEFT JOIN LATERAL (
        SELECT a.user_id FROM project_assignments a WHERE a.project_id = touched.project_id ORDER BY a.position, a.id LIMIT 1
      ) AS first ON true
      WHERE p.id = touched.project_id
        AND (p.assigned_user_id IS DISTINCT FROM first.user_id OR p.xmin <> pg_current_xact_id()::xid);
      RETURN NULL;
    END $$;

    CREATE TRIGGER project_assignments_inserted AFTER INSERT ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
    CREATE TRIGGER project_assignments_updated AFTER UPDATE ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
    CREATE TRIGGER project_assignments_deleted AFTER DELETE ON project_assignments
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
  `);

  await knex.raw(`
    -- A volatile plpgsql function has a new snapshot: it sees assignments that were committed while the calling statement waited for
    -- the project's lock.
    CREATE FUNCTION is_assigned(to_project bigint, of_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM project_assignments a WHERE a.project_id = to_project AND a.user_id = of_user);
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION project_assignments_changed, is_assigned CASCADE;
    DROP TABLE sync_deletions, project_membership_ends, project_assignments;
    ALTER TABLE projects DROP CONSTRAINT projects_list_key;
    CREATE INDEX projects_assigned_user_id_idx ON projects (assigned_user_id) WHERE assigned_user_id IS NOT NULL;
    UPDATE projects SET assigned_user_id = NULL
    WHERE assigned_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = projects.assigned_user_id);
    ALTER TABLE projects ADD CONSTRAINT projects_assigned_user_id_fkey
      FOREIGN KEY (assigned_user_id) REFERENCES users (id) ON DELETE SET NULL;
  `);
}
