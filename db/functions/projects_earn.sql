-- Awards a project's achievements for hours and for reaching the target, the latter also to all users with sessions.
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

-- For nearly every write the condition is the only cost.
CREATE OR REPLACE TRIGGER projects_earn AFTER UPDATE OF current_seconds, target_hours ON projects FOR EACH ROW
  WHEN (study_time_steps(NEW.current_seconds) > study_time_steps(OLD.current_seconds)
    OR NEW.progress = 100 AND OLD.progress < 100)
  EXECUTE FUNCTION projects_earn();

-- A statement may reach several targets: users' rows are inserted together in id order, to prevent deadlocks. The row trigger, which
-- fires earlier, passes the projects in a setting, because transition tables would copy every updated row.
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
