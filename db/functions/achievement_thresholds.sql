-- The thresholds of each kind of achievement; their subscripts are the ids, whose texts are in achievement-catalogue.ts. Units are
-- seconds, days of a streak, percent of the target, or sessions. One expression, which plans store as a constant: a table would
-- be read for every recorded session.
CREATE OR REPLACE FUNCTION achievement_thresholds(kind text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind
    WHEN 'study_time' THEN '[1:5]={1,36000,180000,360000,1800000}'::bigint[]
    WHEN 'streak' THEN '[6:9]={3,7,30,100}'::bigint[]
    WHEN 'target' THEN '[10:10]={100}'::bigint[]
    WHEN 'early_bird' THEN '[11:11]={1}'::bigint[]
    WHEN 'night_owl' THEN '[12:12]={1}'::bigint[]
  END
$$;

-- The ids of the thresholds that an amount reaches.
CREATE OR REPLACE FUNCTION achievements_reached(kind text, amount bigint) RETURNS SETOF integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT id FROM generate_subscripts(achievement_thresholds(kind), 1) AS id
  WHERE amount >= (achievement_thresholds(kind))[id]
$$;

-- The number of study time thresholds reached. plpgsql caches the expression: trigger conditions are prepared for each statement,
-- where inlining an SQL function costs more than this call.
CREATE OR REPLACE FUNCTION study_time_steps(seconds bigint) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN width_bucket(seconds, achievement_thresholds('study_time'));
END $$;
