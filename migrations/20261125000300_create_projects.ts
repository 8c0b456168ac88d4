import type { Knex } from 'knex';

/** Projects with a single assigned user. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE projects (
      id                bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT projects_pkey PRIMARY KEY,
      user_id           bigint NOT NULL CONSTRAINT projects_user_id_fkey REFERENCES users (id),
      name              text NOT NULL CONSTRAINT projects_name_length CHECK (char_length(name) BETWEEN 2 AND 50),
      description       text NOT NULL DEFAULT '' CONSTRAINT projects_description_length CHECK (char_length(description) <= 500),
      status            text NOT NULL DEFAULT 'active'
                        CONSTRAINT projects_status_known CHECK (status IN ('active', 'completed', 'paused')),
      category          text NOT NULL DEFAULT 'other'
                        CONSTRAINT projects_category_known CHECK (category IN ('academic', 'skill', 'hobby', 'other')),
      target_hours      numeric(8, 2) NOT NULL DEFAULT 0
                        CONSTRAINT projects_target_hours_range CHECK (target_hours BETWEEN 0 AND 100000),
      rating_standard   text NOT NULL DEFAULT 'normal'
                        CONSTRAINT projects_rating_standard_known CHECK (rating_standard IN ('excellent', 'good', 'normal')),
      image             text,
      -- Of the stored picture; counts against the owner's quota.
      image_bytes       integer NOT NULL DEFAULT 0 CONSTRAINT projects_image_bytes_positive CHECK (image_bytes >= 0),
      -- The single assigned user; the next migration replaces it by a table.
      assigned_user_id  bigint CONSTRAINT projects_assigned_user_id_fkey REFERENCES users (id) ON DELETE SET NULL,
      -- Of all finished study sessions, maintained by the transactions that write them.
      current_seconds   bigint NOT NULL DEFAULT 0 CONSTRAINT projects_current_seconds_positive CHECK (current_seconds >= 0),
      current_hours     numeric(12, 2) NOT NULL GENERATED ALWAYS AS (round(current_seconds / 3600.0, 2)) STORED,
      progress          numeric(5, 2) NOT NULL GENERATED ALWAYS AS (
                          CASE WHEN target_hours = 0 THEN 0 WHEN current_seconds >= target_hours * 3600 THEN 100
                            ELSE least(99.99, round(current_seconds / 36.0 / target_hours, 2)) END
                        ) STORED,
      created_at        timestamptz(3) NOT NULL DEFAULT now(),
      updated_at        timestamptz(3) NOT NULL DEFAULT now(),
      deleted_at        timestamptz(3),
      row_version       bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      -- The assigned users of a deleted project, for restoring it.
      former_user_ids   bigint[],
      sessions_count    integer NOT NULL DEFAULT 0 CONSTRAINT projects_sessions_count_positive CHECK (sessions_count >= 0),
      due_date          date CONSTRAINT projects_due_date_range CHECK (due_date BETWEEN '2000-01-01' AND '2199-12-31'),
      weekly_goal_hours numeric(7, 2)
                        CONSTRAINT projects_weekly_goal_range CHECK (weekly_goal_hours > 0 AND weekly_goal_hours <= 10000),
      -- Whether everybody's hours count towards one target, or every assigned user is to reach it.
      target_scope      text NOT NULL DEFAULT 'shared'
                        CONSTRAINT projects_target_scope_known CHECK (target_scope IN ('shared', 'each')),
      -- NULL: follows from the id.
      color             smallint CONSTRAINT projects_color_range CHECK (color BETWEEN 1 AND 12),
      -- From when the present pace is computed: when due date or target change or the project is resumed, it starts again.
      plan_started_at   timestamptz(3) NOT NULL DEFAULT now(),
      -- The last transaction that changed the row, for synchronization.
      changed_in        xid8 NOT NULL DEFAULT pg_current_xact_id()
    ) WITH (fillfactor = 80); -- each study session updates its project: leaves space for the new row on the same page
    CREATE INDEX projects_owner_list_idx ON projects (user_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX projects_images_idx ON projects (user_id) INCLUDE (image_bytes) WHERE image_bytes > 0;
    CREATE INDEX projects_recent_idx ON projects (created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX projects_unassigned_idx ON projects (created_at DESC, id DESC)
      WHERE deleted_at IS NULL AND assigned_user_id IS NULL;
    CREATE INDEX projects_trash_idx ON projects (user_id, deleted_at DESC) WHERE deleted_at IS NOT NULL;
    -- For the open goals of a user, however many other projects they own or are assigned to.
    CREATE INDEX projects_owner_goals_idx ON projects (user_id, due_date)
      WHERE (due_date IS NOT NULL OR weekly_goal_hours IS NOT NULL) AND status = 'active' AND deleted_at IS NULL;
    CREATE INDEX projects_goals_idx ON projects (id)
      WHERE (due_date IS NOT NULL OR weekly_goal_hours IS NOT NULL) AND status = 'active' AND deleted_at IS NULL;
    CREATE INDEX projects_assigned_user_id_idx ON projects (assigned_user_id) WHERE assigned_user_id IS NOT NULL;
    CREATE TRIGGER projects_touch BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION touch_row('synchronized');

    CREATE TABLE project_status_changes (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT project_status_changes_pkey PRIMARY KEY,
      project_id  bigint NOT NULL
                  CONSTRAINT project_status_changes_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      from_status text NOT NULL,
      to_status   text NOT NULL,
      changed_at  timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX project_status_changes_project_idx ON project_status_changes (project_id, changed_at, id);

    CREATE TABLE project_search (
      project_id bigint CONSTRAINT project_search_pkey PRIMARY KEY
                 CONSTRAINT project_search_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      content    text NOT NULL
    );
    -- Without statistics, as for users_search_pairs_idx.
    CREATE INDEX project_search_pairs_idx ON project_search USING gin (character_pairs(content));
    ALTER INDEX project_search_pairs_idx ALTER COLUMN 1 SET STATISTICS 0;

    CREATE TABLE project_counts (
      id       bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT project_counts_pkey PRIMARY KEY,
      status   text NOT NULL,
      category text NOT NULL,
      total    bigint NOT NULL,
      month    date NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX project_counts_key_idx ON project_counts (month, status, category);
  `);

  await knex.raw(`
    -- A volatile plpgsql function has a new snapshot: it sees what was committed while the calling statement waited for the project's
    -- lock.
    CREATE FUNCTION project_was_active(of_project bigint, moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.from_status FROM project_status_changes c
         WHERE c.project_id = of_project AND c.changed_at > moment ORDER BY c.changed_at, c.id LIMIT 1),
        (SELECT p.status FROM projects p WHERE p.id = of_project)) = 'active';
    END $$;
  `);

  await knex.raw(`
    -- Counts projects by month (UTC), status and category. A combination may have several rows: a writer updates one that is not locked,
    -- or adds one, so that writers neither wait nor deadlock. The sum is exact.
    CREATE FUNCTION add_to_project_counts(moment timestamptz, of_status text, of_category text, difference bigint) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE of_month CONSTANT date := date_trunc('month', moment AT TIME ZONE 'UTC')::date;
    BEGIN
      UPDATE project_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM project_counts free
        WHERE free.month = of_month AND free.status = of_status AND free.category = of_category
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO project_counts (month, status, category, total) VALUES (of_month, of_status, of_category, difference);
      END IF;
    END $$;
  `);

  await knex.raw(`
    -- The text of projects that are not deleted is in a separate table, because a search that finds many reads all of them: a third of
    -- the pages, and none that records of study update. New projects are added as a set, others by row.
    CREATE FUNCTION projects_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_search (project_id, created_at, content)
      SELECT n.id, n.created_at, search_form(n.name || E'\\n' || n.description) FROM new_rows n WHERE n.deleted_at IS NULL;
      PERFORM add_to_project_counts(d.first, d.status, d.category, d.number) FROM (
        SELECT min(n.created_at) AS first, n.status, n.category, count(*) AS number FROM new_rows n WHERE n.deleted_at IS NULL
        GROUP BY date_trunc('month', n.created_at AT TIME ZONE 'UTC'), n.status, n.category) AS d;
      RETURN NULL;
    END $$;

    CREATE TRIGGER projects_added AFTER INSERT ON projects
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_added();

    -- NEW is null for DELETE; the foreign key of project_search deletes the text.
    CREATE FUNCTION projects_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (OLD.status, OLD.category, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.status, NEW.category, NEW.deleted_at IS NULL) THEN
        IF OLD.deleted_at IS NULL THEN
          PERFORM add_to_project_counts(OLD.created_at, OLD.status, OLD.category, -1);
        END IF;
        IF NEW.id IS NOT NULL AND NEW.deleted_at IS NULL THEN
          PERFORM add_to_project_counts(NEW.created_at, NEW.status, NEW.category, 1);
        END IF;
      END IF;
      IF NEW.deleted_at IS NOT NULL THEN
        DELETE FROM project_search WHERE project_id = NEW.id;
      ELSIF (OLD.name, OLD.description, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.description, NEW.deleted_at) AND NEW.id IS NOT NULL
      THEN
        INSERT INTO project_search (project_id, created_at, content)
        VALUES (NEW.id, NEW.created_at, search_form(NEW.name || E'\\n' || NEW.description))
        ON CONFLICT (project_id) DO UPDATE SET content = excluded.content;
      END IF;
      RETURN NULL;
    END $$;

    CREATE TRIGGER projects_changed AFTER DELETE OR UPDATE OF name, description, status, category, deleted_at ON projects
      FOR EACH ROW EXECUTE FUNCTION projects_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION project_was_active, projects_added, projects_changed, add_to_project_counts CASCADE;
    DROP TABLE project_counts, project_search, project_status_changes, projects;
  `);
}
