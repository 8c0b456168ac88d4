DROP FUNCTION IF EXISTS earned_by_session(integer, text[]);

-- What a finished session earns for its user and its project: streaks by the calendar of its user, as their statistics count
-- them, the others by the clock of the time zone it was recorded in. Callers hold the rows of the user's total and of the
-- project. What was earned before is read first, so that nearly always nothing has to be inserted. Few and small expressions:
-- each is set up again in every transaction.
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

  -- In place of study_days, for whose call a plan is made each time.
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

  -- Cached projects are read again: the statement's update of the hours gives the row a new version.
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

-- The ids of the first achievements for streaks, as many as given.
CREATE OR REPLACE FUNCTION streak_ids(steps integer) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  first CONSTANT integer := array_lower(achievement_thresholds('streak'), 1);
BEGIN
  RETURN ARRAY(SELECT generate_series(first, first + steps - 1));
END $$;
