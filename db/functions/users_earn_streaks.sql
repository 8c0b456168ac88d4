-- The longest streak of a user over all projects by the user's calendar, as statistics show it. 0 for deleted users.
CREATE OR REPLACE FUNCTION longest_streak(of_user bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
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
CREATE OR REPLACE FUNCTION missing_streaks(of_user bigint) RETURNS SETOF integer LANGUAGE sql STABLE AS $$
  SELECT a.id FROM achievements_reached('streak', longest_streak(of_user)) AS a (id)
  WHERE NOT EXISTS (SELECT FROM user_achievements e WHERE e.user_id = of_user AND e.achievement_id = a.id)
$$;

-- Awards them. Locks the user's total first, like study_sessions_added, so that of a concurrent session and change of the calendar
-- the second sees the first.
CREATE OR REPLACE FUNCTION earn_streaks(of_user bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_study_totals AS t (user_id, seconds) VALUES (of_user, 0)
  ON CONFLICT (user_id) DO UPDATE SET seconds = t.seconds;
  INSERT INTO user_achievements (user_id, achievement_id) SELECT of_user, a.id FROM missing_streaks(of_user) AS a (id);
END $$;

-- A change of the calendar can result in longer streaks of existing sessions.
CREATE OR REPLACE FUNCTION users_earn_streaks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM earn_streaks(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_earn_streaks AFTER UPDATE OF timezone, day_start_hour, rest_weekdays ON users FOR EACH ROW
  WHEN ((OLD.timezone, OLD.day_start_hour, OLD.rest_weekdays)
    IS DISTINCT FROM (NEW.timezone, NEW.day_start_hour, NEW.rest_weekdays))
  EXECUTE FUNCTION users_earn_streaks();
