import type { Knex } from 'knex';

/** Assigning many projects to many users writes fewer indexes and rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The pair identifies an assignment. Its id only ordered assignments of the same position, which are renumbered.
    UPDATE project_assignments a SET position = k.position
    FROM (
      SELECT o.id, row_number() OVER (PARTITION BY o.project_id ORDER BY o.position, o.id) AS position
      FROM project_assignments o WHERE o.project_id IN (
        SELECT d.project_id FROM project_assignments d GROUP BY d.project_id HAVING count(*) > count(DISTINCT d.position))) AS k
    WHERE a.id = k.id;
    ALTER TABLE project_assignments
      DROP CONSTRAINT project_assignments_pkey,
      DROP CONSTRAINT project_assignments_pair_key,
      DROP COLUMN id,
      ADD CONSTRAINT project_assignments_pkey PRIMARY KEY (project_id, user_id);

    CREATE OR REPLACE FUNCTION project_assignments_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p SET assigned_user_id = first.user_id
      FROM (SELECT DISTINCT c.project_id FROM changed c) AS touched
      LEFT JOIN LATERAL (
        SELECT a.user_id FROM project_assignments a WHERE a.project_id = touched.project_id ORDER BY a.position, a.user_id LIMIT 1
      ) AS first ON true
      WHERE p.id = touched.project_id
        AND (p.assigned_user_id IS DISTINCT FROM first.user_id OR p.xmin <> pg_current_xact_id()::xid);
      RETURN NULL;
    END $$;
  `);

  await knex.raw(`
    -- An index whose predicate names assigned_user_id makes each change of the first user write all indexes of the project (no HOT
    -- update). The column of the predicate changes only with the first and the last assignment.
    ALTER TABLE projects ADD COLUMN is_assigned boolean GENERATED ALWAYS AS (assigned_user_id IS NOT NULL) STORED NOT NULL;
    DROP INDEX projects_unassigned_idx;
    CREATE INDEX projects_unassigned_idx ON projects (created_at DESC, id DESC) WHERE deleted_at IS NULL AND NOT is_assigned;
  `);

  await knex.raw(`
    -- Names are kept for former members who have studied on the project; nothing shows the other ones.
    DELETE FROM project_membership_ends e
    WHERE NOT EXISTS (
      SELECT FROM project_user_totals k WHERE k.user_id = e.user_id AND k.project_id = e.project_id)
    AND NOT EXISTS (
      SELECT FROM study_sessions s WHERE s.user_id = e.user_id AND s.project_id = e.project_id);

    -- One row for the deletions of a transaction, with up to 1,000 ids in ascending order. The greatest one is in the key, so that
    -- a page of a synchronization begins at the row that its cursor is in.
    ALTER TABLE sync_deletions ADD COLUMN item_ids bigint[];
    UPDATE sync_deletions SET item_ids = ARRAY[item_id];
    ALTER TABLE sync_deletions ALTER COLUMN item_ids SET NOT NULL;
    ALTER TABLE sync_deletions RENAME COLUMN item_id TO last_item_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE single_deletions AS
      SELECT d.user_id, d.changed_in, d.item_type, i.item_id, d.deleted_at
      FROM sync_deletions d CROSS JOIN LATERAL unnest(d.item_ids) AS i (item_id);
    TRUNCATE sync_deletions;
    ALTER TABLE sync_deletions RENAME COLUMN last_item_id TO item_id;
    ALTER TABLE sync_deletions DROP COLUMN item_ids;
    INSERT INTO sync_deletions (user_id, changed_in, item_type, item_id, deleted_at)
      SELECT user_id, changed_in, item_type, item_id, deleted_at FROM single_deletions;
    DROP TABLE single_deletions;

    DROP INDEX projects_unassigned_idx;
    ALTER TABLE projects DROP COLUMN is_assigned;
    CREATE INDEX projects_unassigned_idx ON projects (created_at DESC, id DESC) WHERE deleted_at IS NULL AND assigned_user_id IS NULL;

    -- A new table, since a column can only be added at the end.
    ALTER TABLE project_assignments RENAME TO pairs;
    ALTER TABLE pairs RENAME CONSTRAINT project_assignments_pkey TO pairs_pkey;
    ALTER TABLE pairs RENAME CONSTRAINT project_assignments_user_id_fkey TO pairs_user_id_fkey;
    ALTER TABLE pairs RENAME CONSTRAINT project_assignments_project_fkey TO pairs_project_fkey;
    ALTER INDEX project_assignments_list_idx RENAME TO pairs_list_idx;
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
    INSERT INTO project_assignments (project_id, user_id, position, owner_id, project_created_at, assigned_at, created_at, updated_at)
      SELECT project_id, user_id, position, owner_id, project_created_at, assigned_at, created_at, updated_at
      FROM pairs ORDER BY project_id, position;
    DROP TABLE pairs;
    CREATE INDEX project_assignments_list_idx
      ON project_assignments (user_id, project_created_at DESC, project_id DESC) INCLUDE (owner_id);
    CREATE TRIGGER project_assignments_inserted AFTER INSERT ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
    CREATE TRIGGER project_assignments_updated AFTER UPDATE ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
    CREATE TRIGGER project_assignments_deleted AFTER DELETE ON project_assignments
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION project_assignments_changed();
    CREATE OR REPLACE FUNCTION project_assignments_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
  `);
}
