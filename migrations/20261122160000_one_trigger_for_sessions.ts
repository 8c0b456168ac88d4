import type { Knex } from 'knex';

/**
 * One trigger for each kind of change of study sessions instead of four. Its files drop the former ones in the transaction
 * that replaces them, so that sessions can be recorded all the while; only the way back needs a migration.
 */
export async function up(): Promise<void> {}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION IF EXISTS earn_by_session(study_sessions), streak_ids(integer),
      streak_steps(bigint, bigint, bigint, date, timestamptz, timestamptz, integer[], text, integer, integer[]),
      may_be_studied(bigint, bigint, date, text, integer), was_studied(bigint, bigint, timestamptz, timestamptz, bigint);
    CREATE OR REPLACE FUNCTION was_studied(
      of_user bigint, of_project bigint, day date, zone text, day_start_hour integer, before_id bigint)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      opens  timestamptz := day_start(day, zone, day_start_hour);
      closes timestamptz := day_start(day + 1, zone, day_start_hour);
    BEGIN
      IF of_user IS NOT NULL THEN
        RETURN EXISTS (
          SELECT FROM study_sessions s WHERE s.user_id = of_user AND s.started_at < closes
            AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id
            AND has_second(s.started_at, s.ended_at, opens, closes));
      END IF;
      RETURN EXISTS (
        SELECT FROM study_sessions s WHERE s.project_id = of_project AND s.started_at < closes
          AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id
          AND has_second(s.started_at, s.ended_at, opens, closes));
    END $$;
    CREATE OR REPLACE FUNCTION streak_steps(of_user bigint, of_project bigint, around date, zone text, day_start_hour integer,
      rest_weekdays integer[], before_id bigint)
    RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      thresholds CONSTANT bigint[] := achievement_thresholds('streak');
      longest    CONSTANT integer := array_upper(thresholds, 1);
      paused     datemultirange := '{}';
      neutral    datemultirange := '{}';
      length     integer := 1;
      day        date;
      step       integer;
    BEGIN
      IF was_studied(of_user, of_project, around, zone, day_start_hour, before_id) THEN
        RETURN 0;
      END IF;
      IF EXISTS (SELECT FROM user_achievements a WHERE a.user_id = of_user AND a.achievement_id = longest)
        OR EXISTS (SELECT FROM project_achievements a WHERE a.project_id = of_project AND a.achievement_id = longest) THEN
        RETURN 0;
      END IF;
      IF of_project IS NOT NULL THEN
        SELECT coalesce(range_agg(daterange(p.first_day, p.until, '()')), '{}'),
          coalesce(range_agg(daterange(p.first_day, p.until, '[]')), '{}')
        INTO paused, neutral
        FROM (SELECT first_day, coalesce(last_day, greatest(first_day, current_date) + 2) AS until
              FROM project_pauses(of_project, zone, day_start_hour)) AS p;
        IF around <@ paused THEN RETURN 0; END IF;
      END IF;
      FOREACH step IN ARRAY ARRAY[-1, 1] LOOP
        day := around;
        WHILE length < thresholds[longest] LOOP
          day := day + step;
          CONTINUE WHEN day <@ paused;
          IF was_studied(of_user, of_project, day, zone, day_start_hour, 9223372036854775807) THEN
            length := length + 1;
          ELSE
            EXIT WHEN NOT (day <@ neutral OR extract(isodow FROM day) = ANY (rest_weekdays))
              AND day_exists(day, zone, day_start_hour);
          END IF;
        END LOOP;
      END LOOP;
      RETURN width_bucket(length, thresholds);
    END $$;
    CREATE OR REPLACE FUNCTION study_sessions_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author      bigint := NEW.user_id;
      calendar    record;
      zone        text := coalesce(known_time_zone(NEW.time_zone), 'UTC');
      local_start timestamp := NEW.started_at AT TIME ZONE zone;
      local_end   timestamp := NEW.ended_at AT TIME ZONE zone;
      by_clock    text[] := '{}';
      of_user     integer := 0;
      of_project  integer := 0;
      first_day   date;
      day         date;
    BEGIN
      PERFORM FROM user_study_totals t WHERE t.user_id = author FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        INSERT INTO user_study_totals AS t (user_id, seconds) VALUES (author, 0)
        ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds;
      END IF;
      SELECT * INTO calendar FROM study_calendar(author);
      IF local_start::time >= '04:00' AND local_start::time < '07:00' THEN
        by_clock := by_clock || 'early_bird'::text;
      END IF;
      IF local_start::time >= '22:00' OR local_start::time < '04:00' OR local_end > local_start::date + time '22:00' THEN
        by_clock := by_clock || 'night_owl'::text;
      END IF;
      first_day := study_day(NEW.started_at, calendar.zone, calendar.day_start_hour);
      FOR n IN 0 .. greatest(study_day(NEW.ended_at, calendar.zone, calendar.day_start_hour) - first_day, 0) LOOP
        day := first_day + n;
        CONTINUE WHEN NOT touches_day(NEW.started_at, NEW.ended_at, day, calendar.zone, calendar.day_start_hour);
        of_user := greatest(of_user, streak_steps(
          author, NULL, day, calendar.zone, calendar.day_start_hour, calendar.rest_weekdays, NEW.id));
        of_project := greatest(of_project, streak_steps(
          NULL, NEW.project_id, day, calendar.zone, calendar.day_start_hour, calendar.rest_weekdays, NEW.id));
      END LOOP;
      IF of_project > 0 OR by_clock <> '{}' THEN
        INSERT INTO project_achievements (project_id, achievement_id)
        SELECT NEW.project_id, a.id FROM (
            SELECT e.id FROM generate_subscripts(achievement_thresholds('streak'), 1) WITH ORDINALITY AS e (id, step)
            WHERE e.step <= of_project
            UNION ALL SELECT r.id FROM unnest(by_clock) AS k (kind), achievements_reached(k.kind, 1) AS r (id)) AS a
        ON CONFLICT DO NOTHING;
      END IF;
      IF of_user > 0 OR by_clock <> '{}' THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT author, a.id FROM (
            SELECT e.id FROM generate_subscripts(achievement_thresholds('streak'), 1) WITH ORDINALITY AS e (id, step)
            WHERE e.step <= of_user
            UNION ALL SELECT r.id FROM unnest(by_clock) AS k (kind), achievements_reached(k.kind, 1) AS r (id)) AS a
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER study_sessions_earn_added AFTER INSERT ON study_sessions FOR EACH ROW
      WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION study_sessions_earn();
    CREATE OR REPLACE TRIGGER study_sessions_earn_changed AFTER UPDATE OF project_id, started_at, ended_at ON study_sessions
      FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL
        AND (OLD.project_id, OLD.started_at, OLD.ended_at) IS DISTINCT FROM (NEW.project_id, NEW.started_at, NEW.ended_at))
      EXECUTE FUNCTION study_sessions_earn();
    CREATE OR REPLACE FUNCTION study_sessions_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
      FROM (SELECT c.project_id, sum(c.duration_seconds) AS seconds, count(*) AS number
            FROM changed c WHERE c.ended_at IS NOT NULL GROUP BY c.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER study_sessions_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_added();
    CREATE OR REPLACE FUNCTION study_sessions_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds - d.seconds, sessions_count = p.sessions_count - d.number
      FROM (SELECT c.project_id, sum(c.duration_seconds) AS seconds, count(*) AS number
            FROM changed c WHERE c.ended_at IS NOT NULL GROUP BY c.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER study_sessions_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_removed();
    CREATE OR REPLACE FUNCTION study_sessions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE projects p
      SET current_seconds = p.current_seconds + d.seconds, sessions_count = p.sessions_count + d.number
      FROM (SELECT c.project_id, sum(c.seconds) AS seconds, sum(c.number) AS number
            FROM old_rows o JOIN new_rows n ON n.id = o.id CROSS JOIN LATERAL (VALUES
              (o.project_id, o.ended_at, -o.duration_seconds, -1),
              (n.project_id, n.ended_at, n.duration_seconds, 1)) AS c (project_id, ended_at, seconds, number)
            WHERE (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
              AND c.ended_at IS NOT NULL
            GROUP BY c.project_id) AS d
      WHERE p.id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER study_sessions_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION study_sessions_changed();
    CREATE OR REPLACE FUNCTION project_user_totals_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
      SELECT n.user_id, n.project_id, sum(n.duration_seconds), count(*), max(n.ended_at)
      FROM new_rows n WHERE n.ended_at IS NOT NULL GROUP BY n.user_id, n.project_id
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET seconds = t.seconds + excluded.seconds, sessions_count = t.sessions_count + excluded.sessions_count,
          last_session = greatest(t.last_session, excluded.last_session);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER project_user_totals_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION project_user_totals_added();
    CREATE OR REPLACE FUNCTION last_session_of(of_user bigint, of_project bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT s.ended_at FROM study_sessions s
      WHERE s.user_id = of_user AND s.project_id = of_project AND s.ended_at IS NOT NULL
      ORDER BY s.started_at DESC, s.id DESC LIMIT 1
    $$;
    CREATE OR REPLACE FUNCTION project_user_totals_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE project_user_totals t
      SET seconds = t.seconds - d.seconds, sessions_count = t.sessions_count - d.number,
        last_session = CASE WHEN t.last_session > d.last_session THEN t.last_session
          ELSE last_session_of(t.user_id, t.project_id) END
      FROM (SELECT o.user_id, o.project_id, sum(o.duration_seconds) AS seconds, count(*) AS number,
              max(o.ended_at) AS last_session
            FROM old_rows o WHERE o.ended_at IS NOT NULL GROUP BY o.user_id, o.project_id) AS d
      WHERE t.user_id = d.user_id AND t.project_id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER project_user_totals_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION project_user_totals_removed();
    CREATE OR REPLACE FUNCTION project_user_totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_user_totals AS t (user_id, project_id, seconds, sessions_count, last_session)
      SELECT n.user_id, n.project_id, sum(n.duration_seconds), count(*), max(n.ended_at)
      FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE n.ended_at IS NOT NULL AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
      GROUP BY n.user_id, n.project_id
      ON CONFLICT (user_id, project_id) DO UPDATE
        SET seconds = t.seconds + excluded.seconds, sessions_count = t.sessions_count + excluded.sessions_count,
          last_session = greatest(t.last_session, excluded.last_session);
      UPDATE project_user_totals t
      SET seconds = t.seconds - d.seconds, sessions_count = t.sessions_count - d.number,
        last_session = last_session_of(t.user_id, t.project_id)
      FROM (SELECT o.user_id, o.project_id, sum(o.duration_seconds) AS seconds, count(*) AS number
            FROM old_rows o JOIN new_rows n ON n.id = o.id
            WHERE o.ended_at IS NOT NULL AND (o.project_id, o.started_at, o.ended_at) IS DISTINCT FROM (n.project_id, n.started_at, n.ended_at)
            GROUP BY o.user_id, o.project_id) AS d
      WHERE t.user_id = d.user_id AND t.project_id = d.project_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER project_user_totals_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION project_user_totals_changed();
    CREATE OR REPLACE FUNCTION user_study_totals_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE user_study_totals t
        SET seconds = t.seconds + d.seconds, last_session_at = greatest(t.last_session_at, d.latest)
        FROM (SELECT n.user_id, sum(n.duration_seconds) AS seconds, max(n.ended_at) AS latest
              FROM new_rows n GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.latest IS NOT NULL;
      ELSIF TG_OP = 'DELETE' THEN
        PERFORM FROM user_study_totals t WHERE t.user_id IN (SELECT o.user_id FROM old_rows o)
        ORDER BY t.user_id FOR NO KEY UPDATE;
        UPDATE user_study_totals t SET seconds = t.seconds - d.seconds, last_session_at = latest_session_end(t.user_id)
        FROM (SELECT o.user_id, sum(o.duration_seconds) AS seconds FROM old_rows o GROUP BY o.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      ELSE
        PERFORM FROM user_study_totals t
        WHERE t.user_id IN (SELECT o.user_id FROM old_rows o WHERE o.ended_at IS NOT NULL)
        ORDER BY t.user_id FOR NO KEY UPDATE;
        UPDATE user_study_totals t
        SET seconds = t.seconds + d.seconds, last_session_at =
          CASE WHEN d.was_finished THEN latest_session_end(t.user_id) ELSE greatest(t.last_session_at, d.latest) END
        FROM (SELECT n.user_id, sum(n.duration_seconds - o.duration_seconds) AS seconds, max(n.ended_at) AS latest,
                bool_or(o.ended_at IS NOT NULL) AS was_finished
              FROM new_rows n JOIN old_rows o ON o.id = n.id
              WHERE o.ended_at IS DISTINCT FROM n.ended_at OR o.started_at <> n.started_at GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.latest IS NOT NULL;
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION latest_session_end(of_user bigint) RETURNS timestamptz LANGUAGE plpgsql AS $$
    BEGIN
      RETURN (SELECT s.ended_at FROM study_sessions s WHERE s.user_id = of_user AND s.ended_at IS NOT NULL
              ORDER BY s.started_at DESC LIMIT 1);
    END $$;
    CREATE OR REPLACE TRIGGER user_study_totals_follow_added AFTER INSERT ON study_sessions
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();
    CREATE OR REPLACE TRIGGER user_study_totals_follow_changed AFTER UPDATE ON study_sessions
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();
    CREATE OR REPLACE TRIGGER user_study_totals_follow_removed AFTER DELETE ON study_sessions
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION user_study_totals_follow();
  `);
}
