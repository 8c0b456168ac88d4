-- Awards achievements for study time.
CREATE OR REPLACE FUNCTION user_study_totals_earn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_achievements (user_id, achievement_id)
  SELECT NEW.user_id, a.id FROM achievements_reached('study_time', NEW.seconds) AS a (id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER user_study_totals_earn_first AFTER INSERT ON user_study_totals FOR EACH ROW
  EXECUTE FUNCTION user_study_totals_earn();
CREATE OR REPLACE TRIGGER user_study_totals_earn AFTER UPDATE ON user_study_totals FOR EACH ROW
  WHEN (study_time_steps(NEW.seconds) > study_time_steps(OLD.seconds))
  EXECUTE FUNCTION user_study_totals_earn();
