import type { Knex } from 'knex';

/** Study records. That a user has one running record at most, and none that overlap, is kept by the database. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE EXTENSION IF NOT EXISTS btree_gist;

    CREATE TABLE study_sessions (
      id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT study_sessions_pkey PRIMARY KEY,
      project_id       bigint NOT NULL CONSTRAINT study_sessions_project_id_fkey REFERENCES projects (id),
      user_id          bigint NOT NULL CONSTRAINT study_sessions_user_id_fkey REFERENCES users (id),
      -- The project's owner, who never changes: so that records of others on one's own projects have an index.
      owner_id         bigint NOT NULL,
      started_at       timestamptz(3) NOT NULL CONSTRAINT study_sessions_not_too_old CHECK (started_at >= '2000-01-01Z'),
      ended_at         timestamptz(3),
      -- Whole seconds; 0 while it runs.
      duration_seconds integer NOT NULL GENERATED ALWAYS AS (
                         coalesce(floor(extract(epoch FROM ended_at - started_at))::integer, 0)) STORED,
      note             text NOT NULL DEFAULT '' CONSTRAINT study_sessions_note_length CHECK (char_length(note) <= 500),
      source           text NOT NULL CONSTRAINT study_sessions_source_known CHECK (source IN ('timer', 'manual')),
      time_zone        text NOT NULL,
      auto_stopped     boolean NOT NULL DEFAULT false,
      created_at       timestamptz(3) NOT NULL DEFAULT now(),
      updated_at       timestamptz(3) NOT NULL DEFAULT now(),
      row_version      bigint NOT NULL DEFAULT 1,
      CONSTRAINT study_sessions_duration CHECK (
        ended_at IS NULL OR ended_at - started_at BETWEEN interval '1 second' AND interval '24 hours'),
      CONSTRAINT study_sessions_no_overlap EXCLUDE USING gist (
        user_id WITH =, tstzrange(started_at, ended_at, '[)') WITH &&)
    );
    CREATE UNIQUE INDEX study_sessions_one_running ON study_sessions (user_id) WHERE ended_at IS NULL;
    -- With all that a person's statistics read.
    CREATE INDEX study_sessions_user_idx ON study_sessions (user_id, started_at DESC, id DESC)
      INCLUDE (ended_at, duration_seconds, project_id);
    CREATE INDEX study_sessions_project_list_idx ON study_sessions (project_id, started_at DESC, id DESC);
    CREATE INDEX study_sessions_owner_idx ON study_sessions (owner_id, started_at DESC, id DESC) WHERE owner_id <> user_id;
    CREATE INDEX study_sessions_recent_idx ON study_sessions (started_at DESC, id DESC);
    -- Everything that statistics read, so that they never visit the table.
    CREATE INDEX study_sessions_project_stats_idx
      ON study_sessions (project_id, ended_at) INCLUDE (started_at, duration_seconds, user_id) WHERE ended_at IS NOT NULL;

    ALTER TABLE projects ADD COLUMN sessions_count integer NOT NULL DEFAULT 0
      CONSTRAINT projects_sessions_count_positive CHECK (sessions_count >= 0);

    -- A project's hours and count follow its finished records in the writing transaction. Writers lock the project first.
    CREATE FUNCTION study_sessions_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
      FROM (SELECT c.project_id, sum(c.duration_seconds) AS seconds, count(*) AS number
            FROM changed c WHERE c.ended_at IS NOT NULL GROUP BY c.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER study_sessions_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_added();

    CREATE FUNCTION study_sessions_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds - d.seconds, sessions_count = p.sessions_count - d.number
      FROM (SELECT c.project_id, sum(c.duration_seconds) AS seconds, count(*) AS number
            FROM changed c WHERE c.ended_at IS NOT NULL GROUP BY c.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER study_sessions_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_removed();

    CREATE FUNCTION study_sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
      FROM (SELECT n.project_id,
              sum(n.duration_seconds - o.duration_seconds) AS seconds,
              sum((n.ended_at IS NOT NULL)::integer - (o.ended_at IS NOT NULL)::integer) AS number
            FROM new_rows n JOIN old_rows o ON o.id = n.id AND o.project_id = n.project_id
            WHERE (o.started_at, o.ended_at) IS DISTINCT FROM (n.started_at, n.ended_at) GROUP BY n.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER study_sessions_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_changed();

    -- The figures above are kept for the project that a record was made on.
    CREATE FUNCTION study_sessions_touch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (OLD.project_id, OLD.user_id, OLD.owner_id) IS DISTINCT FROM (NEW.project_id, NEW.user_id, NEW.owner_id) THEN
        RAISE EXCEPTION 'a study record stays on its project and with its user';
      END IF;
      NEW.row_version := OLD.row_version + 1;
      NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
      RETURN NEW;
    END $$;
    CREATE TRIGGER study_sessions_touch BEFORE UPDATE ON study_sessions
      FOR EACH ROW EXECUTE FUNCTION study_sessions_touch();

    -- Most writers have the project at hand and name the owner themselves.
    CREATE FUNCTION study_sessions_find_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.owner_id := (SELECT p.user_id FROM projects p WHERE p.id = NEW.project_id);
      RETURN NEW;
    END $$;
    CREATE TRIGGER study_sessions_find_owner BEFORE INSERT ON study_sessions FOR EACH ROW
      WHEN (NEW.owner_id IS NULL) EXECUTE FUNCTION study_sessions_find_owner();

    -- A language that is never inlined: the look-up must see what was committed while its statement waited for the project.
    CREATE FUNCTION project_was_active(of_project bigint, moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.from_status FROM project_status_changes c
         WHERE c.project_id = of_project AND c.changed_at > moment ORDER BY c.changed_at, c.id LIMIT 1),
        (SELECT p.status FROM projects p WHERE p.id = of_project)) = 'active';
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE study_sessions;
    DROP FUNCTION project_was_active(bigint, timestamptz);
    DROP FUNCTION study_sessions_find_owner();
    DROP FUNCTION study_sessions_touch();
    DROP FUNCTION study_sessions_changed();
    DROP FUNCTION study_sessions_removed();
    DROP FUNCTION study_sessions_added();
    ALTER TABLE projects DROP COLUMN sessions_count;
  `);
}
