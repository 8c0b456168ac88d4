import type { Knex } from 'knex';

/** Study sessions and their totals. A user has at most one running timer and no overlapping sessions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE EXTENSION IF NOT EXISTS btree_gist;

    CREATE FUNCTION search_forms(contents text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (SELECT array_agg(search_form(content)) FROM unnest(contents) AS content);

    CREATE TABLE study_sessions (
      id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT study_sessions_pkey PRIMARY KEY,
      project_id       bigint NOT NULL CONSTRAINT study_sessions_project_id_fkey REFERENCES projects (id),
      user_id          bigint NOT NULL CONSTRAINT study_sessions_user_id_fkey REFERENCES users (id),
      -- The project's owner, for an index of other users' sessions on one's own projects.
      owner_id         bigint NOT NULL,
      started_at       timestamptz(3) NOT NULL CONSTRAINT study_sessions_not_too_old CHECK (started_at >= '2000-01-01Z'),
      -- NULL while the timer is running.
      ended_at         timestamptz(3),
      duration_seconds integer NOT NULL GENERATED ALWAYS AS (
                         coalesce(floor(extract(epoch FROM ended_at - started_at))::integer, 0)) STORED,
      note             text NOT NULL DEFAULT '' CONSTRAINT study_sessions_note_length CHECK (char_length(note) <= 500),
      -- Names from the vocabulary of the author, as they are written there.
      tags             text[] NOT NULL DEFAULT '{}' CONSTRAINT study_sessions_tags_number CHECK (cardinality(tags) <= 5),
      source           text NOT NULL CONSTRAINT study_sessions_source_known CHECK (source IN ('timer', 'manual')),
      time_zone        text NOT NULL,
      auto_stopped     boolean NOT NULL DEFAULT false,
      -- How long a timer is meant to run; reaching it ends nothing.
      planned_minutes  integer CONSTRAINT study_sessions_planned_minutes CHECK (planned_minutes BETWEEN 1 AND 1440),
      created_at       timestamptz(3) NOT NULL DEFAULT now(),
      updated_at       timestamptz(3) NOT NULL DEFAULT now(),
      row_version      bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      -- The last transaction that changed the row, for synchronization.
      changed_in       xid8 NOT NULL DEFAULT pg_current_xact_id(),
      -- The import that added the session, until it is edited.
      import_id        bigint,
      CONSTRAINT study_sessions_duration CHECK (
        ended_at IS NULL OR ended_at - started_at BETWEEN interval '1 second' AND interval '24 hours'),
      CONSTRAINT study_sessions_no_overlap EXCLUDE USING gist (
        user_id WITH =, tstzrange(started_at, ended_at, '[)') WITH &&)
    );
    CREATE UNIQUE INDEX study_sessions_one_running ON study_sessions (user_id) WHERE ended_at IS NULL;
    -- Contains all that a user's statistics read.
    CREATE INDEX study_sessions_user_idx ON study_sessions (user_id, started_at DESC, id DESC)
      INCLUDE (ended_at, duration_seconds, project_id);
    CREATE INDEX study_sessions_project_list_idx ON study_sessions (project_id, started_at DESC, id DESC);
    CREATE INDEX study_sessions_owner_idx ON study_sessions (owner_id, started_at DESC, id DESC) WHERE owner_id <> user_id;
    CREATE INDEX study_sessions_recent_idx ON study_sessions (started_at DESC, id DESC);
    -- Contains all that a project's statistics read.
    CREATE INDEX study_sessions_project_stats_idx
      ON study_sessions (project_id, ended_at) INCLUDE (started_at, duration_seconds, user_id) WHERE ended_at IS NOT NULL;
    CREATE INDEX study_sessions_import_idx ON study_sessions (import_id, id) WHERE import_id IS NOT NULL;
    CREATE INDEX study_sessions_changes_idx ON study_sessions (user_id, changed_in, id);
    CREATE INDEX study_sessions_owner_changes_idx ON study_sessions (owner_id, changed_in, id) WHERE owner_id <> user_id;
    -- Searches in notes: pairs of characters, without statistics as for users_search_pairs_idx, and single characters.
    CREATE INDEX study_sessions_note_pairs_idx ON study_sessions USING gin (character_pairs(search_form(note))) WHERE note <> '';
    ALTER INDEX study_sessions_note_pairs_idx ALTER COLUMN 1 SET STATISTICS 0;
    CREATE INDEX study_sessions_note_characters_idx ON study_sessions USING gin (string_to_array(search_form(note), NULL))
      WHERE note <> '';
    ALTER INDEX study_sessions_note_characters_idx ALTER COLUMN 1 SET STATISTICS 0;
    -- Tagged sessions of one author, and those of anybody with a tag.
    CREATE INDEX study_sessions_tagged_idx ON study_sessions (user_id, started_at DESC, id DESC) INCLUDE (tags)
      WHERE tags <> '{}';
    CREATE INDEX study_sessions_tags_idx ON study_sessions USING gin (search_forms(tags)) WHERE tags <> '{}';
    ALTER INDEX study_sessions_tags_idx ALTER COLUMN 1 SET STATISTICS 0;

    -- Finished sessions of each user.
    CREATE TABLE user_study_totals (
      user_id         bigint CONSTRAINT user_study_totals_pkey PRIMARY KEY
                      CONSTRAINT user_study_totals_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      seconds         bigint NOT NULL CONSTRAINT user_study_totals_positive CHECK (seconds >= 0),
      sessions_count  integer NOT NULL DEFAULT 0 CONSTRAINT user_study_totals_count_positive CHECK (sessions_count >= 0),
      last_session_at timestamptz(3)
    ) WITH (fillfactor = 50);

    -- Finished sessions of each user on each project. Without a foreign key on the user, which would lock the account after the
    -- project, against the order of locks; accounts are never removed.
    CREATE TABLE project_user_totals (
      user_id        bigint NOT NULL,
      project_id     bigint NOT NULL
                     CONSTRAINT project_user_totals_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      seconds        bigint NOT NULL CONSTRAINT project_user_totals_seconds_positive CHECK (seconds >= 0),
      hours          numeric(12, 2) NOT NULL GENERATED ALWAYS AS (round(seconds / 3600.0, 2)) STORED,
      sessions_count integer NOT NULL CONSTRAINT project_user_totals_sessions_count_positive CHECK (sessions_count >= 0),
      last_session   timestamptz(3),
      CONSTRAINT project_user_totals_pkey PRIMARY KEY (user_id, project_id)
    ) WITH (fillfactor = 50);
    -- No other column: a record then changes no indexed column, and its update is heap-only (HOT).
    CREATE INDEX project_user_totals_project_idx ON project_user_totals (project_id);

    CREATE TABLE session_counts (
      id      bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT session_counts_pkey PRIMARY KEY,
      day     date NOT NULL,
      running boolean NOT NULL,
      total   bigint NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX session_counts_key_idx ON session_counts (day, running);
  `);

  await knex.raw(`
    -- The vocabulary of an author.
    CREATE TABLE tags (
      user_id    bigint NOT NULL CONSTRAINT tags_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      name       text NOT NULL CONSTRAINT tags_name_length CHECK (char_length(name) BETWEEN 1 AND 30),
      created_at timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE UNIQUE INDEX tags_name_key ON tags (user_id, search_form(name));

    -- The lock lets each transaction count the tags of those before it; it is the last one that a writer of sessions takes.
    CREATE FUNCTION tags_limited() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('tags', NEW.user_id));
      IF (SELECT count(*) FROM tags t WHERE t.user_id = NEW.user_id) >= 200
        AND NOT EXISTS (SELECT FROM tags t WHERE t.user_id = NEW.user_id AND search_form(t.name) = search_form(NEW.name)) THEN
        RAISE EXCEPTION 'an author has at most 200 tags' USING ERRCODE = '23514', CONSTRAINT = 'tags_limited';
      END IF;
      RETURN NEW;
    END $$;

    CREATE TRIGGER tags_limited BEFORE INSERT ON tags FOR EACH ROW EXECUTE FUNCTION tags_limited();
  `);

  await knex.raw(`
    CREATE TRIGGER study_sessions_touch BEFORE UPDATE ON study_sessions
      FOR EACH ROW EXECUTE FUNCTION touch_row('synchronized');

    -- A session never changes its user. One that moves to another project gets that project's owner.
    CREATE FUNCTION study_sessions_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.user_id <> NEW.user_id THEN
        RAISE EXCEPTION 'a study record stays with its user';
      END IF;
      NEW.owner_id := OLD.owner_id;
      IF OLD.project_id <> NEW.project_id THEN
        NEW.owner_id := (SELECT p.user_id FROM projects p WHERE p.id = NEW.project_id);
      END IF;
      RETURN NEW;
    END $$;

    CREATE TRIGGER study_sessions_moved BEFORE UPDATE OF user_id, project_id, owner_id ON study_sessions
      FOR EACH ROW EXECUTE FUNCTION study_sessions_moved();
  `);

  await knex.raw(`
    -- Adds finished sessions to the totals of their user and project, or removes them. Callers have locked the project. latest: when the
    -- last of them ended. If it is removed, the one before is searched for by a statement that begins after the user's row was locked, so
    -- that concurrent deletions are seen. A user's sessions do not overlap, so the one that started last also ended last.
    CREATE FUNCTION add_to_totals(
      of_user bigint, of_project bigint, difference bigint, number integer, latest timestamptz, removed boolean)
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF removed THEN
        PERFORM FROM user_study_totals t WHERE t.user_id = of_user FOR UPDATE;
      END IF;
      INSERT INTO user_study_totals AS t (user_id, seconds, sessions_count, last_session_at)
      VALUES (of_user, greatest(difference, 0), greatest(number, 0), latest)
      ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds + difference, sessions_count = t.sessions_count + number,
        last_session_at = CASE WHEN removed AND t.last_session_at <= latest THEN (
            SELECT s.ended_at FROM study_sessions s
            WHERE s.user_id = of_user AND s.ended_at IS NOT NULL ORDER BY s.started_at DESC LIMIT 1)
          ELSE greatest(t.last_session_at, latest) END;
      INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
      VALUES (of_user, of_project, greatest(difference, 0), greatest(number, 0), latest)
      ON CONFLICT (user_id, project_id) DO UPDATE SET seconds = t.seconds + difference, sessions_count = t.sessions_count + number,
        last_session = CASE WHEN removed AND t.last_session <= latest THEN (
            SELECT s.ended_at FROM study_sessions s
            WHERE s.user_id = of_user AND s.project_id = of_project AND s.ended_at IS NOT NULL ORDER BY s.started_at DESC LIMIT 1)
          ELSE greatest(t.last_session, latest) END;
      UPDATE projects p SET current_seconds = p.current_seconds + difference, sessions_count = p.sessions_count + number
      WHERE p.id = of_project;
    END $$;
  `);

  await knex.raw(`
    -- Counts study sessions by day (UTC) of their start, and running timers separately. Writers share rows as in add_to_project_counts.
    CREATE FUNCTION add_to_session_counts(of_day date, is_running boolean, difference bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE session_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM session_counts free WHERE free.day = of_day AND free.running = is_running
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO session_counts (day, running, total) VALUES (of_day, is_running, difference);
      END IF;
    END $$;

    -- New sessions only add: one statement for each table. Their projects are locked, so the order of the last one does not matter.
    CREATE FUNCTION study_sessions_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_study_totals AS t (user_id, seconds, sessions_count, last_session_at)
      SELECT n.user_id, sum(n.duration_seconds), count(*), max(n.ended_at)
      FROM new_rows n WHERE n.ended_at IS NOT NULL GROUP BY n.user_id ORDER BY n.user_id
      ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds + excluded.seconds,
        sessions_count = t.sessions_count + excluded.sessions_count,
        last_session_at = greatest(t.last_session_at, excluded.last_session_at);
      INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
      SELECT n.user_id, n.project_id, sum(n.duration_seconds), count(*), max(n.ended_at)
      FROM new_rows n WHERE n.ended_at IS NOT NULL GROUP BY n.user_id, n.project_id ORDER BY n.user_id, n.project_id
      ON CONFLICT (user_id, project_id) DO UPDATE SET seconds = t.seconds + excluded.seconds,
        sessions_count = t.sessions_count + excluded.sessions_count, last_session = greatest(t.last_session, excluded.last_session);
      UPDATE projects p SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
      FROM (
        SELECT n.project_id, sum(n.duration_seconds) AS seconds, count(*) AS number
        FROM new_rows n WHERE n.ended_at IS NOT NULL GROUP BY n.project_id) AS d
      WHERE p.id = d.project_id;
      PERFORM add_to_session_counts(d.day, d.running, d.number) FROM (
        SELECT (n.started_at AT TIME ZONE 'UTC')::date AS day, n.ended_at IS NULL AS running, count(*) AS number
        FROM new_rows n GROUP BY 1, 2) AS d;
      RETURN NULL;
    END $$;

    CREATE TRIGGER study_sessions_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_added();
  `);

  await knex.raw(`
    -- Sessions that are deleted, end, change their times or move to another project. A timer that ends only adds.
    CREATE FUNCTION study_sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM add_to_totals(d.user_id, d.project_id, -d.seconds, -d.number, d.latest, true) FROM (
          SELECT o.user_id, o.project_id, sum(o.duration_seconds) AS seconds, count(*)::integer AS number, max(o.ended_at) AS latest
          FROM old_rows o WHERE o.ended_at IS NOT NULL GROUP BY o.user_id, o.project_id ORDER BY o.user_id, o.project_id) AS d;
        PERFORM add_to_session_counts(d.day, d.running, -d.number) FROM (
          SELECT (o.started_at AT TIME ZONE 'UTC')::date AS day, o.ended_at IS NULL AS running, count(*) AS number
          FROM old_rows o GROUP BY 1, 2) AS d;
        RETURN NULL;
      END IF;
      PERFORM add_to_totals(d.user_id, d.project_id, d.seconds, d.number, d.latest, d.removed) FROM (
        SELECT c.user_id, c.project_id, sum(c.seconds) AS seconds, sum(c.number)::integer AS number,
          max(c.ended_at) AS latest, bool_or(c.number < 0) AS removed
        FROM old_rows o JOIN new_rows n ON n.id = o.id CROSS JOIN LATERAL (VALUES
          (o.user_id, o.project_id, o.ended_at, -o.duration_seconds, -1),
          (n.user_id, n.project_id, n.ended_at, n.duration_seconds, 1)) AS c (user_id, project_id, ended_at, seconds, number)
        WHERE c.ended_at IS NOT NULL
          AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
        GROUP BY c.user_id, c.project_id ORDER BY c.user_id, c.project_id) AS d;
      PERFORM add_to_session_counts(d.day, d.running, d.difference) FROM (
        SELECT (c.started_at AT TIME ZONE 'UTC')::date AS day, c.ended_at IS NULL AS running, sum(c.number) AS difference
        FROM old_rows o JOIN new_rows n ON n.id = o.id CROSS JOIN LATERAL (VALUES
          (o.started_at, o.ended_at, -1), (n.started_at, n.ended_at, 1)) AS c (started_at, ended_at, number)
        GROUP BY 1, 2 HAVING sum(c.number) <> 0) AS d;
      RETURN NULL;
    END $$;

    CREATE TRIGGER study_sessions_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_changed();
    CREATE TRIGGER study_sessions_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_changed();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION study_sessions_moved, tags_limited, add_to_totals, add_to_session_counts, study_sessions_added, study_sessions_changed CASCADE;
    DROP TABLE tags, session_counts, project_user_totals, user_study_totals, study_sessions;
    DROP FUNCTION search_forms;
  `);
}
