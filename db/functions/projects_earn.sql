-- The achievements of a project by its hours and its target, and those of everyone who took part in reaching the target.
CREATE OR REPLACE FUNCTION projects_earn() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Only when a threshold is crossed: for nearly every write the condition is the only cost.
CREATE OR REPLACE TRIGGER projects_earn AFTER UPDATE OF current_seconds, target_hours ON projects FOR EACH ROW
  WHEN (study_time_steps(NEW.current_seconds) > study_time_steps(OLD.current_seconds)
    OR NEW.progress = 100 AND OLD.progress < 100)
  EXECUTE FUNCTION projects_earn();

-- One statement may reach the targets of several projects: the users' rows are inserted for all of them together, in
-- user order, so that no two transactions deadlock. The projects come from the row trigger, which fires before, in a
-- setting: transition tables would copy every updated row for the few that reach a target.
CREATE OR REPLACE FUNCTION projects_reach_targets() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER projects_reach_targets AFTER UPDATE OF current_seconds, target_hours ON projects
  FOR EACH STATEMENT EXECUTE FUNCTION projects_reach_targets();
