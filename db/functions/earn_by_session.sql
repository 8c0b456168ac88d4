DROP FUNCTION IF EXISTS earned_by_session(integer, text[]);

-- Awards a finished session's achievements to its user and project: streaks by the user's calendar, others by the local time in the
-- session's time zone. Callers have locked the rows of the user's total and of the project. Earned achievements are read first,
-- because usually there is nothing to insert. Expressions are few and small: each is initialized in every transaction.
CREATE OR REPLACE FUNCTION earn_by_session(s study_sessions) RETURNS void LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION streak_ids(steps integer) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  first CONSTANT integer := array_lower(achievement_thresholds('streak'), 1);
BEGIN
  RETURN ARRAY(SELECT generate_series(first, first + steps - 1));
END $$;
