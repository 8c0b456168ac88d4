import type { Knex } from 'knex';

/** Achievements of users and projects, awarded by the transaction that earns them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE project_achievements (
      project_id     bigint NOT NULL
                     CONSTRAINT project_achievements_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      achievement_id integer NOT NULL CONSTRAINT project_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT project_achievements_pkey PRIMARY KEY (project_id, achievement_id)
    );

    -- Without a foreign key: a project's target is reached by all who took part, and a key would lock their accounts after the
    -- project, against the order of locks; accounts are never removed.
    CREATE TABLE user_achievements (
      user_id        bigint NOT NULL,
      achievement_id integer NOT NULL CONSTRAINT user_achievements_known CHECK (achievement_id BETWEEN 1 AND 12),
      earned_at      timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT user_achievements_pkey PRIMARY KEY (user_id, achievement_id)
    );
  `);

  await knex.raw(`
    -- The thresholds of each kind of achievement; their subscripts are the ids, whose texts are in achievement-catalogue.ts. Units are
    -- seconds, days of a streak, percent of the target, or sessions. One expression, which plans store as a constant: a table would
    -- be read for every recorded session.
    CREATE FUNCTION achievement_thresholds(kind text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE kind
        WHEN 'study_time' THEN '[1:5]={1,36000,180000,360000,1800000}'::bigint[]
        WHEN 'streak' THEN '[6:9]={3,7,30,100}'::bigint[]
        WHEN 'target' THEN '[10:10]={100}'::bigint[]
        WHEN 'early_bird' THEN '[11:11]={1}'::bigint[]
        WHEN 'night_owl' THEN '[12:12]={1}'::bigint[]
      END
    $$;

    -- The ids of the thresholds that an amount reaches.
    CREATE FUNCTION achievements_reached(kind text, amount bigint) RETURNS SETOF integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT id FROM generate_subscripts(achievement_thresholds(kind), 1) AS id
      WHERE amount >= (achievement_thresholds(kind))[id]
    $$;

    -- The number of study time thresholds reached. plpgsql caches the expression: trigger conditions are prepared for each statement,
    -- where inlining an SQL function costs more than this call.
    CREATE FUNCTION study_time_steps(seconds bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
      RETURN width_bucket(seconds, achievement_thresholds('study_time'));
    END $$;
  `);

  await knex.raw(`
    -- Awards a project's achievements for hours and for reaching the target, the latter also to all users with sessions.
    CREATE FUNCTION projects_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_achievements (project_id, achievement_id)
      SELECT NEW.id, a.id FROM achievements_reached('study_time', NEW.current_seconds) AS a (id)
      UNION ALL SELECT NEW.id, a.id FROM achievements_reached('target', floor(NEW.progress)::bigint) AS a (id)
      ON CONFLICT DO NOTHING;
      IF NEW.progress = 100 AND OLD.progress < 100 THEN
        PERFORM set_config('studytrack.reached_targets',
          concat_ws(',', nullif(current_setting('studytrack.reached_targets', true), ''), NEW.id), true);
      END IF;
      RETURN NULL;
    END $$;

    -- For nearly every write the condition is the only cost.
    CREATE TRIGGER projects_earn AFTER UPDATE OF current_seconds, target_hours ON projects FOR EACH ROW
      WHEN (study_time_steps(NEW.current_seconds) > study_time_steps(OLD.current_seconds)
        OR NEW.progress = 100 AND OLD.progress < 100)
      EXECUTE FUNCTION projects_earn();

    -- A statement may reach several targets: users' rows are inserted together in id order, to prevent deadlocks. The row trigger, which
    -- fires earlier, passes the projects in a setting, because transition tables would copy every updated row.
    CREATE FUNCTION projects_reach_targets() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      reached text := current_setting('studytrack.reached_targets', true);
    BEGIN
      IF reached <> '' THEN
        PERFORM set_config('studytrack.reached_targets', '', true);
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT DISTINCT s.user_id, a.id
        FROM study_sessions s CROSS JOIN achievements_reached('target', 100) AS a (id)
        WHERE s.project_id = ANY (string_to_array(reached, ',')::bigint[]) AND s.ended_at IS NOT NULL
        ORDER BY s.user_id
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;

    CREATE TRIGGER projects_reach_targets AFTER UPDATE OF current_seconds, target_hours ON projects
      FOR EACH STATEMENT EXECUTE FUNCTION projects_reach_targets();
  `);

  await knex.raw(`
    -- Awards achievements for study time.
    CREATE FUNCTION user_study_totals_earn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_achievements (user_id, achievement_id)
      SELECT NEW.user_id, a.id FROM achievements_reached('study_time', NEW.seconds) AS a (id)
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;

    CREATE TRIGGER user_study_totals_earn_first AFTER INSERT ON user_study_totals FOR EACH ROW
      EXECUTE FUNCTION user_study_totals_earn();
    CREATE TRIGGER user_study_totals_earn AFTER UPDATE ON user_study_totals FOR EACH ROW
      WHEN (study_time_steps(NEW.seconds) > study_time_steps(OLD.seconds))
      EXECUTE FUNCTION user_study_totals_earn();
  `);

  await knex.raw(`
    -- Awards a finished session's achievements to its user and project: streaks by the user's calendar, others by the local time in the
    -- session's time zone. Callers have locked the rows of the user's total and of the project. Earned achievements are read first,
    -- because usually there is nothing to insert. Expressions are few and small: each is initialized in every transaction.
    CREATE FUNCTION earn_by_session(s study_sessions) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      known         record;
      zone          text;
      starts        timestamp;
      by_clock      integer[] := '{}';
      first_day     date;
      last_day      date;
      opens         timestamptz;
      closes        timestamptz;
      user_steps    integer := 0;
      project_steps integer := 0;
    BEGIN
      SELECT c.*, ARRAY(SELECT a.achievement_id FROM user_achievements a WHERE a.user_id = s.user_id) AS by_user,
        ARRAY(SELECT a.achievement_id FROM project_achievements a WHERE a.project_id = s.project_id) AS by_project
      INTO known FROM study_calendar(s.user_id) AS c;

      zone := s.time_zone;
      IF zone <> known.zone THEN
        zone := coalesce(known_time_zone(zone), 'UTC');
      END IF;
      starts := s.started_at AT TIME ZONE zone;
      IF starts::time >= '04:00' AND starts::time < '07:00' THEN
        by_clock := by_clock || array_lower(achievement_thresholds('early_bird'), 1);
      END IF;
      IF starts::time >= '22:00' OR starts::time < '04:00' OR s.ended_at AT TIME ZONE zone > starts::date + time '22:00' THEN
        by_clock := by_clock || array_lower(achievement_thresholds('night_owl'), 1);
      END IF;

      -- Not study_days, which would be planned for each call.
      first_day := study_day(s.started_at, known.zone, known.day_start_hour);
      last_day := study_day(s.ended_at, known.zone, known.day_start_hour);
      FOR day IN 0 .. greatest(last_day - first_day, 0) LOOP
        opens := day_start(first_day + day, known.zone, known.day_start_hour);
        closes := day_start(first_day + day + 1, known.zone, known.day_start_hour);
        IF last_day <> first_day THEN
          CONTINUE WHEN NOT has_second(s.started_at, s.ended_at, opens, closes);
        END IF;
        user_steps := greatest(user_steps, streak_steps(s.user_id, NULL, s.id, first_day + day, opens, closes,
          known.by_user, known.zone, known.day_start_hour, known.rest_weekdays));
        project_steps := greatest(project_steps, streak_steps(NULL, s.project_id, s.id, first_day + day, opens, closes,
          known.by_project, known.zone, known.day_start_hour, known.rest_weekdays));
      END LOOP;

      -- The project's row version needs no update here: the statement that changes its hours gives it a new one.
      IF project_steps > 0 OR NOT by_clock <@ known.by_project THEN
        INSERT INTO project_achievements (project_id, achievement_id)
        SELECT s.project_id, a.id FROM unnest(by_clock || streak_ids(project_steps)) AS a (id)
        ON CONFLICT DO NOTHING;
      END IF;
      IF user_steps > 0 OR NOT by_clock <@ known.by_user THEN
        INSERT INTO user_achievements (user_id, achievement_id)
        SELECT s.user_id, a.id FROM unnest(by_clock || streak_ids(user_steps)) AS a (id)
        ON CONFLICT DO NOTHING;
      END IF;
    END $$;

    -- The ids of the first achievements for streaks.
    CREATE FUNCTION streak_ids(steps integer) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      first CONSTANT integer := array_lower(achievement_thresholds('streak'), 1);
    BEGIN
      RETURN ARRAY(SELECT generate_series(first, first + steps - 1));
    END $$;
  `);

  await knex.raw(`
    DROP FUNCTION IF EXISTS streak_steps(bigint, bigint, date, text, bigint),
      streak_steps(bigint, bigint, date, text, integer, integer[], bigint);

    -- Whether a session of the user, or of the project if of_user is NULL, with a smaller id touches the day between two moments.
    CREATE FUNCTION was_studied(of_user bigint, of_project bigint, opens timestamptz, closes timestamptz,
      before_id bigint DEFAULT 9223372036854775807)
    RETURNS boolean LANGUAGE plpgsql AS $$
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

    -- Whether a streak may include the day: it has a session, or the zone skipped it.
    CREATE FUNCTION may_be_studied(
      of_user bigint, of_project bigint, day date, zone text, day_start_hour integer)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      opens  timestamptz := day_start(day, zone, day_start_hour);
      closes timestamptz := day_start(day + 1, zone, day_start_hour);
    BEGIN
      RETURN opens = closes OR was_studied(of_user, of_project, opens, closes);
    END $$;

    -- The number of thresholds reached by the streak of a newly studied day; 0 if none is new. It walks in both directions to the first
    -- gap or the highest threshold. First it checks a few days that every streak of the next threshold includes, because this runs for
    -- the first session of each day, and most streaks are shorter. Statistics compute all streaks at once instead
    -- (docs/decisions/0076-two-forms-of-streaks.md).
    CREATE FUNCTION streak_steps(of_user bigint, of_project bigint, before_id bigint, around date,
      opens timestamptz, closes timestamptz, earned integer[], zone text, day_start_hour integer, rest_weekdays integer[])
    RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      thresholds CONSTANT bigint[] := achievement_thresholds('streak');
      longest    CONSTANT integer := array_upper(thresholds, 1);
      next       integer := array_lower(thresholds, 1);
      goes_back  boolean;
      goes_on    boolean;
      paused     datemultirange := '{}';
      neutral    datemultirange := '{}';
      length     integer := 1;
      day        date;
      step       integer;
    BEGIN
      WHILE next = ANY (earned) LOOP
        next := next + 1;
      END LOOP;
      IF next > longest THEN
        RETURN 0;
      END IF;
      -- Only the first session of a day earns achievements. By id, because sessions that were inserted together see each other.
      IF was_studied(of_user, of_project, opens, closes, before_id) THEN
        RETURN 0;
      END IF;

      IF of_project IS NOT NULL THEN
        IF EXISTS (SELECT FROM project_status_changes c WHERE c.project_id = of_project) THEN
          SELECT coalesce(range_agg(daterange(p.first_day, p.until, '()')), '{}'),
            coalesce(range_agg(daterange(p.first_day, p.until, '[]')), '{}')
          INTO paused, neutral
          FROM (SELECT first_day, coalesce(last_day, greatest(first_day, current_date) + 2) AS until
                FROM project_pauses(of_project, zone, day_start_hour)) AS p;
          IF around <@ paused THEN RETURN 0; END IF;
        END IF;
      END IF;

      IF neutral = '{}' AND rest_weekdays = '{}' THEN
        goes_back := may_be_studied(of_user, of_project, around - 1, zone, day_start_hour);
        goes_on := may_be_studied(of_user, of_project, around + 1, zone, day_start_hour);
        IF goes_back AND goes_on THEN -- at least half of the streak is on one side of the day
          goes_back := may_be_studied(of_user, of_project, around - (thresholds[next] / 2)::integer, zone, day_start_hour);
          goes_on := may_be_studied(of_user, of_project, around + (thresholds[next] / 2)::integer, zone, day_start_hour);
        ELSIF goes_back THEN
          goes_back := may_be_studied(of_user, of_project, around - thresholds[next]::integer + 1, zone, day_start_hour);
        ELSIF goes_on THEN
          goes_on := may_be_studied(of_user, of_project, around + thresholds[next]::integer - 1, zone, day_start_hour);
        END IF;
        IF NOT goes_back AND NOT goes_on THEN
          RETURN 0;
        END IF;
      END IF;

      FOREACH step IN ARRAY ARRAY[-1, 1] LOOP
        day := around;
        WHILE length < thresholds[longest] LOOP
          day := day + step;
          CONTINUE WHEN day <@ paused;
          opens := day_start(day, zone, day_start_hour);
          closes := day_start(day + 1, zone, day_start_hour);
          IF was_studied(of_user, of_project, opens, closes) THEN
            length := length + 1;
          ELSE
            EXIT WHEN NOT (day <@ neutral OR extract(isodow FROM day) = ANY (rest_weekdays)) AND opens < closes;
          END IF;
        END LOOP;
      END LOOP;
      RETURN width_bucket(length, thresholds);
    END $$;
  `);

  await knex.raw(`
    -- The longest streak of a user over all projects by the user's calendar, as statistics show it. 0 for deleted users.
    CREATE FUNCTION longest_streak(of_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
      WITH studied AS (
        SELECT DISTINCT d.day
        FROM users u
        CROSS JOIN study_calendar(u.id) AS c
        JOIN study_sessions s ON s.user_id = u.id AND s.ended_at IS NOT NULL
        CROSS JOIN LATERAL study_days(s.started_at, s.ended_at, c.zone, c.day_start_hour) AS d (day)
        WHERE u.id = of_user AND u.deleted_at IS NULL),
      follows AS (SELECT s.day, lag(s.day) OVER (ORDER BY s.day) AS previous FROM studied s),
      -- A streak begins after a day that exists, is not a rest day and has no session. At most seven rest or skipped days are
      -- consecutive.
      begins AS (
        SELECT f.day, f.previous IS NULL OR f.day - f.previous > 8 OR EXISTS (
          SELECT FROM study_calendar(of_user) AS c, generate_series(1, f.day - f.previous - 1) AS n
          WHERE extract(isodow FROM f.previous + n) <> ALL (c.rest_weekdays)
            AND day_exists(f.previous + n, c.zone, c.day_start_hour)) AS is_first
        FROM follows f),
      numbered AS (SELECT count(*) FILTER (WHERE b.is_first) OVER (ORDER BY b.day) AS streak FROM begins b)
      SELECT coalesce(max(s.length), 0) FROM (SELECT count(*) AS length FROM numbered n GROUP BY n.streak) AS s
    $$;

    -- The achievements for this streak that the user does not have.
    CREATE FUNCTION missing_streaks(of_user bigint) RETURNS SETOF integer LANGUAGE sql STABLE AS $$
      SELECT a.id FROM achievements_reached('streak', longest_streak(of_user)) AS a (id)
      WHERE NOT EXISTS (SELECT FROM user_achievements e WHERE e.user_id = of_user AND e.achievement_id = a.id)
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION achievement_thresholds, achievements_reached, study_time_steps, projects_earn,
      projects_reach_targets, user_study_totals_earn, earn_by_session, streak_ids, was_studied, may_be_studied,
      streak_steps, longest_streak, missing_streaks CASCADE;
    DROP TABLE user_achievements, project_achievements;
  `);
}
