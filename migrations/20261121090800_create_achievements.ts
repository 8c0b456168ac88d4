import type { Knex } from 'knex';

/**
 * Achievements, given by the database in the transaction that earns them, so that no code path can forget. Their
 * numbers: 1 first record; 2–5 hours (10, 50, 100, 500); 6–9 streaks (3, 7, 30, 100 days); 10 target reached;
 * 11 early bird; 12 night owl. Beside them what statistics and achievements both know of time zones and pauses.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The name, if this server knows the zone; its list may differ from the one of the runtime.
    CREATE FUNCTION known_time_zone(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
    BEGIN
      PERFORM now() AT TIME ZONE name;
      RETURN name;
    EXCEPTION WHEN invalid_parameter_value THEN
      RETURN NULL;
    END $$;

    -- When a local day begins. Where clocks go back over midnight it comes twice, and PostgreSQL names the second one.
    -- A day that a zone left out (by crossing the date line) begins when the next one does.
    -- One expression, so that it is inlined.
    CREATE FUNCTION day_start(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN ((day::timestamp AT TIME ZONE zone - interval '1 hour') AT TIME ZONE zone)::date = day
        THEN day::timestamp AT TIME ZONE zone - interval '1 hour' ELSE day::timestamp AT TIME ZONE zone END
    $$;

    -- The pauses of a project that reach over a midnight: the day it left active, and the day it came back (null: not
    -- yet). Days strictly between count for nothing; the two days themselves count if they were studied on, and break
    -- no streak if not.
    CREATE FUNCTION project_pauses(of_project bigint, zone text)
    RETURNS TABLE (first_day date, last_day date) LANGUAGE sql STABLE AS $$
      SELECT pause.first_day, pause.last_day
      FROM (
        SELECT c.from_status, (c.changed_at AT TIME ZONE zone)::date AS first_day,
          (lead(c.changed_at) OVER (ORDER BY c.changed_at, c.id) AT TIME ZONE zone)::date AS last_day
        FROM project_status_changes c
        WHERE c.project_id = of_project AND 'active' IN (c.from_status, c.to_status)
      ) AS pause
      WHERE pause.from_status = 'active' AND pause.first_day IS DISTINCT FROM pause.last_day
    $$;

    CREATE TABLE project_achievements (
      project_id     bigint NOT NULL
                     CONSTRAINT project_achievements_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      achievement_id integer NOT NULL CONSTRAINT project_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT project_achievements_pkey PRIMARY KEY (project_id, achievement_id)
    );
    -- Without a foreign key: a project's target is reached for all who took part, and a key would lock their accounts
    -- after the project, against the order of locks. Accounts are never removed.
    CREATE TABLE user_achievements (
      user_id        bigint NOT NULL,
      achievement_id integer NOT NULL CONSTRAINT user_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT user_achievements_pkey PRIMARY KEY (user_id, achievement_id)
    );
    -- Seconds of all finished records of a user, so that a write need not add them up.
    CREATE TABLE user_study_totals (
      user_id bigint CONSTRAINT user_study_totals_pkey PRIMARY KEY
              CONSTRAINT user_study_totals_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      seconds bigint NOT NULL CONSTRAINT user_study_totals_positive CHECK (seconds >= 0)
    ) WITH (fillfactor = 50); -- rewritten often: room for the new row on the same page

    -- How many of the achievements 1–5 an amount of study is worth.
    CREATE FUNCTION study_time_steps(seconds bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
      SELECT width_bucket(seconds, ARRAY[1, 36000, 180000, 360000, 1800000]::bigint[])
    $$;

    CREATE FUNCTION projects_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_achievements (project_id, achievement_id)
      SELECT NEW.id, step FROM generate_series(1, study_time_steps(NEW.current_seconds)) AS step
      UNION ALL SELECT NEW.id, 10 WHERE NEW.progress = 100
      ON CONFLICT DO NOTHING;
      IF NEW.progress = 100 AND OLD.progress < 100 THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT DISTINCT s.user_id, 10 FROM study_sessions s WHERE s.project_id = NEW.id AND s.ended_at IS NOT NULL
        ORDER BY s.user_id
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    -- Only when a threshold is crossed: for nearly every write the condition is all it costs.
    CREATE TRIGGER projects_earn AFTER UPDATE OF current_seconds, target_hours ON projects FOR EACH ROW
      WHEN (study_time_steps(NEW.current_seconds) > study_time_steps(OLD.current_seconds)
        OR NEW.progress = 100 AND OLD.progress < 100)
      EXECUTE FUNCTION projects_earn();

    CREATE FUNCTION user_study_totals_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_achievements (user_id, achievement_id)
      SELECT NEW.user_id, step FROM generate_series(1, study_time_steps(NEW.seconds)) AS step
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER user_study_totals_earn_first AFTER INSERT ON user_study_totals FOR EACH ROW
      EXECUTE FUNCTION user_study_totals_earn();
    CREATE TRIGGER user_study_totals_earn AFTER UPDATE ON user_study_totals FOR EACH ROW
      WHEN (study_time_steps(NEW.seconds) > study_time_steps(OLD.seconds))
      EXECUTE FUNCTION user_study_totals_earn();

    -- Whether a record touches the local day: one of the user, or (of_user null) of the project; only of records with
    -- a smaller id.
    CREATE FUNCTION was_studied(of_user bigint, of_project bigint, day date, zone text, before_id bigint)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      opens  timestamptz := day_start(day, zone);
      closes timestamptz := day_start(day + 1, zone);
    BEGIN
      IF of_user IS NOT NULL THEN
        RETURN EXISTS (
          SELECT FROM study_sessions s WHERE s.user_id = of_user AND s.started_at < closes
            AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id);
      END IF;
      RETURN EXISTS (
        SELECT FROM study_sessions s WHERE s.project_id = of_project AND s.started_at < closes
          AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id);
    END $$;

    -- How many of the achievements 6–9 the streak is worth that a day newly studied on belongs to. Walks from day to
    -- day both ways and stops at the first gap, or when there is nothing more to earn.
    CREATE FUNCTION streak_steps(of_user bigint, of_project bigint, around date, zone text, before_id bigint)
    RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      paused  datemultirange := '{}';
      neutral datemultirange := '{}';
      length  integer := 1;
      day     date;
      step    integer;
    BEGIN
      -- Whatever the day is worth was given with its first record. By id, because of records inserted together, which
      -- all see each other, just one must be the first.
      IF was_studied(of_user, of_project, around, zone, before_id) THEN
        RETURN 0;
      END IF;
      IF EXISTS (SELECT FROM user_achievements a WHERE a.user_id = of_user AND a.achievement_id = 9)
        OR EXISTS (SELECT FROM project_achievements a WHERE a.project_id = of_project AND a.achievement_id = 9) THEN
        RETURN 0; -- the longest one was, and the others with it
      END IF;
      IF of_project IS NOT NULL THEN
        SELECT coalesce(range_agg(daterange(p.first_day, p.until, '()')), '{}'),
          coalesce(range_agg(daterange(p.first_day, p.until, '[]')), '{}')
        INTO paused, neutral
        FROM (SELECT first_day, coalesce(last_day, greatest(first_day, current_date) + 2) AS until
              FROM project_pauses(of_project, zone)) AS p;
        IF around <@ paused THEN RETURN 0; END IF;
      END IF;
      FOREACH step IN ARRAY ARRAY[-1, 1] LOOP
        day := around;
        WHILE length < 100 LOOP
          day := day + step;
          CONTINUE WHEN day <@ paused;
          IF was_studied(of_user, of_project, day, zone, 9223372036854775807) THEN
            length := length + 1;
          ELSE
            EXIT WHEN NOT day <@ neutral AND day_start(day, zone) < day_start(day + 1, zone);
          END IF;
        END LOOP;
      END LOOP;
      RETURN width_bucket(length, ARRAY[3, 7, 30, 100]);
    END $$;

    CREATE FUNCTION study_sessions_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author      bigint := NEW.user_id;
      zone        text;
      local_start timestamp;
      local_end   timestamp;
      by_clock    integer[] := '{}';
      of_user     integer := 0;
      of_project  integer := 0;
      day         date;
    BEGIN
      -- First, because it makes two writes of one user wait for each other: each sees the days of the one before.
      PERFORM FROM user_study_totals t WHERE t.user_id = author FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        INSERT INTO user_study_totals AS t (user_id, seconds) VALUES (author, 0)
        ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds;
      END IF;

      zone := coalesce(known_time_zone(NEW.time_zone), 'UTC');
      local_start := NEW.started_at AT TIME ZONE zone;
      local_end := NEW.ended_at AT TIME ZONE zone;
      IF local_start::time >= '04:00' AND local_start::time < '07:00' THEN
        by_clock := by_clock || 11;
      END IF;
      IF local_start::time >= '22:00' OR local_start::time < '04:00' OR local_end > local_start::date + time '22:00' THEN
        by_clock := by_clock || 12;
      END IF;
      day := local_start::date;
      WHILE day <= (local_end - interval '1 millisecond')::date LOOP
        of_user := greatest(of_user, streak_steps(author, NULL, day, zone, NEW.id));
        of_project := greatest(of_project, streak_steps(NULL, NEW.project_id, day, zone, NEW.id));
        day := day + 1;
      END LOOP;

      -- The project's row is touched for its hours in this same statement, so whoever remembers it will read it again.
      IF of_project > 0 OR by_clock <> '{}' THEN
        INSERT INTO project_achievements (project_id, achievement_id)
        SELECT NEW.project_id, 5 + step FROM generate_series(1, of_project) AS step
        UNION ALL SELECT NEW.project_id, unnest(by_clock)
        ON CONFLICT DO NOTHING;
      END IF;
      IF of_user > 0 OR by_clock <> '{}' THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT author, 5 + step FROM generate_series(1, of_user) AS step
        UNION ALL SELECT author, unnest(by_clock)
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER study_sessions_earn_added AFTER INSERT ON study_sessions FOR EACH ROW
      WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION study_sessions_earn();
    CREATE TRIGGER study_sessions_earn_changed AFTER UPDATE OF started_at, ended_at ON study_sessions FOR EACH ROW
      WHEN (NEW.ended_at IS NOT NULL AND (OLD.started_at, OLD.ended_at) IS DISTINCT FROM (NEW.started_at, NEW.ended_at))
      EXECUTE FUNCTION study_sessions_earn();

    -- Once for all records of a statement: writing one row again and again in a transaction gets slower each time.
    CREATE FUNCTION user_study_totals_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE user_study_totals t SET seconds = t.seconds + d.seconds
        FROM (SELECT n.user_id, sum(n.duration_seconds) AS seconds FROM new_rows n GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      ELSIF TG_OP = 'DELETE' THEN
        UPDATE user_study_totals t SET seconds = t.seconds - d.seconds
        FROM (SELECT o.user_id, sum(o.duration_seconds) AS seconds FROM old_rows o GROUP BY o.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      ELSE
        UPDATE user_study_totals t SET seconds = t.seconds + d.seconds
        FROM (SELECT n.user_id, sum(n.duration_seconds - o.duration_seconds) AS seconds
              FROM new_rows n JOIN old_rows o ON o.id = n.id GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER user_study_totals_follow_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();
    CREATE TRIGGER user_study_totals_follow_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();
    CREATE TRIGGER user_study_totals_follow_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();

    INSERT INTO user_study_totals (user_id, seconds)
    SELECT s.user_id, sum(s.duration_seconds) FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.user_id;
    INSERT INTO project_achievements (project_id, achievement_id)
    SELECT p.id, step FROM projects p CROSS JOIN generate_series(1, study_time_steps(p.current_seconds)) AS step
    UNION ALL SELECT p.id, 10 FROM projects p WHERE p.progress = 100;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER user_study_totals_follow_removed ON study_sessions;
    DROP TRIGGER user_study_totals_follow_changed ON study_sessions;
    DROP TRIGGER user_study_totals_follow_added ON study_sessions;
    DROP FUNCTION user_study_totals_follow();
    DROP TRIGGER study_sessions_earn_changed ON study_sessions;
    DROP TRIGGER study_sessions_earn_added ON study_sessions;
    DROP FUNCTION study_sessions_earn();
    DROP FUNCTION streak_steps(bigint, bigint, date, text, bigint);
    DROP FUNCTION was_studied(bigint, bigint, date, text, bigint);
    DROP TRIGGER projects_earn ON projects;
    DROP FUNCTION projects_earn();
    DROP TABLE user_study_totals;
    DROP FUNCTION user_study_totals_earn();
    DROP FUNCTION study_time_steps(bigint);
    DROP TABLE user_achievements, project_achievements;
    DROP FUNCTION project_pauses(bigint, text);
    DROP FUNCTION day_start(date, text);
    DROP FUNCTION known_time_zone(text);
  `);
}
