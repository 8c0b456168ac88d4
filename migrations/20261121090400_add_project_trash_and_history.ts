import type { Knex } from 'knex';

/** Deleting is soft: assignments go and are remembered for a restore. Every change of status is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE projects ADD COLUMN former_user_ids bigint[];

    CREATE FUNCTION projects_trashed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.former_user_ids := ARRAY(
        SELECT a.user_id FROM project_assignments a WHERE a.project_id = NEW.id ORDER BY a.position, a.id);
      RETURN NEW;
    END $$;
    CREATE TRIGGER projects_trashed BEFORE UPDATE OF deleted_at ON projects FOR EACH ROW
      WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION projects_trashed();

    CREATE FUNCTION projects_unassign_trashed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM project_assignments WHERE project_id = NEW.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_unassign_trashed AFTER UPDATE OF deleted_at ON projects FOR EACH ROW
      WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION projects_unassign_trashed();

    CREATE TABLE project_status_changes (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT project_status_changes_pkey PRIMARY KEY,
      project_id  bigint NOT NULL
                  CONSTRAINT project_status_changes_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      from_status text NOT NULL,
      to_status   text NOT NULL,
      changed_at  timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX project_status_changes_project_idx ON project_status_changes (project_id, changed_at, id);

    CREATE FUNCTION projects_status_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_status_changes (project_id, from_status, to_status) VALUES (NEW.id, OLD.status, NEW.status);
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_status_changed AFTER UPDATE OF status ON projects FOR EACH ROW
      WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION projects_status_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER projects_status_changed ON projects;
    DROP FUNCTION projects_status_changed();
    DROP TABLE project_status_changes;
    DROP TRIGGER projects_unassign_trashed ON projects;
    DROP FUNCTION projects_unassign_trashed();
    DROP TRIGGER projects_trashed ON projects;
    DROP FUNCTION projects_trashed();
    ALTER TABLE projects DROP COLUMN former_user_ids;
  `);
}
