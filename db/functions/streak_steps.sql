DROP FUNCTION IF EXISTS was_studied(bigint, bigint, date, text, bigint),
  was_studied(bigint, bigint, date, text, integer, bigint);
DROP FUNCTION IF EXISTS streak_steps(bigint, bigint, date, text, bigint),
  streak_steps(bigint, bigint, date, text, integer, integer[], bigint);

-- Whether a session of the user, or of the project if of_user is NULL, with a smaller id touches the day between two moments.
CREATE OR REPLACE FUNCTION was_studied(of_user bigint, of_project bigint, opens timestamptz, closes timestamptz,
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
CREATE OR REPLACE FUNCTION may_be_studied(
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
CREATE OR REPLACE FUNCTION streak_steps(of_user bigint, of_project bigint, before_id bigint, around date,
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
