import type { Knex } from 'knex';

/**
 * Projects may have many assigned users. Single assignments are copied into the relation, and from here on the old
 * field is derived: whoever writes one of the two, the database brings the other along.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The relation repeats the owner and the time of creation, so that one index of it is a user's list in the usual
    -- order. Both never change; the foreign key holds the copies to the original.
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

    INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
    SELECT p.id, p.assigned_user_id, 1, p.user_id, p.created_at
    FROM projects p
    WHERE p.assigned_user_id IS NOT NULL AND p.deleted_at IS NULL
    ORDER BY p.id;

    -- Derived from a relation that has its own foreign key, the field needs neither key nor index.
    UPDATE projects SET assigned_user_id = NULL WHERE assigned_user_id IS NOT NULL AND deleted_at IS NOT NULL;
    ALTER TABLE projects DROP CONSTRAINT projects_assigned_user_id_fkey;
    DROP INDEX projects_assigned_user_id_idx;

    -- The project's row is touched by every change of its assignments, once in a transaction: whoever was written by it
    -- already and names the right user needs no second version.
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

    -- A program that only knows the old field still assigns: its value becomes the whole list.
    CREATE FUNCTION projects_assigned_user_written() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM project_assignments WHERE project_id = NEW.id AND user_id IS DISTINCT FROM NEW.assigned_user_id;
      INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at)
      SELECT NEW.id, NEW.assigned_user_id, 1, NEW.user_id, NEW.created_at WHERE NEW.assigned_user_id IS NOT NULL
      ON CONFLICT (project_id, user_id) DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_assigned_user_inserted AFTER INSERT ON projects FOR EACH ROW
      WHEN (NEW.assigned_user_id IS NOT NULL AND pg_trigger_depth() = 0)
      EXECUTE FUNCTION projects_assigned_user_written();
    CREATE TRIGGER projects_assigned_user_updated AFTER UPDATE OF assigned_user_id ON projects FOR EACH ROW
      WHEN (NEW.assigned_user_id IS DISTINCT FROM OLD.assigned_user_id AND pg_trigger_depth() = 0)
      EXECUTE FUNCTION projects_assigned_user_written();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER projects_assigned_user_updated ON projects;
    DROP TRIGGER projects_assigned_user_inserted ON projects;
    DROP FUNCTION projects_assigned_user_written();
    DROP TABLE project_assignments;
    DROP FUNCTION project_assignments_changed();
    ALTER TABLE projects DROP CONSTRAINT projects_list_key;
    CREATE INDEX projects_assigned_user_id_idx ON projects (assigned_user_id) WHERE assigned_user_id IS NOT NULL;
    UPDATE projects SET assigned_user_id = NULL
    WHERE assigned_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = projects.assigned_user_id);
    ALTER TABLE projects ADD CONSTRAINT projects_assigned_user_id_fkey
      FOREIGN KEY (assigned_user_id) REFERENCES users (id) ON DELETE SET NULL;
  `);
}
