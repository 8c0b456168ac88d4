-- The achievements: for each kind its thresholds, whose subscripts are the ids. Study time is in seconds, a streak in
-- days, a target in percent; the others need one session. The names and texts of the ids are in achievement-catalogue.ts.
-- One expression, so that plans hold it as a constant: a table would be read for every session that is recorded.
CREATE OR REPLACE FUNCTION achievement_thresholds(kind text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind
    WHEN 'study_time' THEN '[1:5]={1,36000,180000,360000,1800000}'::bigint[]
    WHEN 'streak' THEN '[6:9]={3,7,30,100}'::bigint[]
    WHEN 'target' THEN '[10:10]={100}'::bigint[]
    WHEN 'early_bird' THEN '[11:11]={1}'::bigint[]
    WHEN 'night_owl' THEN '[12:12]={1}'::bigint[]
  END
$$;

-- The ids of a kind whose threshold an amount reaches.
CREATE OR REPLACE FUNCTION achievements_reached(kind text, amount bigint) RETURNS SETOF integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT id FROM generate_subscripts(achievement_thresholds(kind), 1) AS id
  WHERE amount >= (achievement_thresholds(kind))[id]
$$;

-- How many thresholds of study time an amount reaches. In plpgsql, which caches the expression: conditions of triggers
-- are prepared for each statement, and inlining an SQL function there costs more than calling this one.
CREATE OR REPLACE FUNCTION study_time_steps(seconds bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN width_bucket(seconds, achievement_thresholds('study_time'));
END $$;
