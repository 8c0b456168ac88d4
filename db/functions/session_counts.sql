-- Counts study sessions by day (UTC) of their start, and running timers separately. Writers share rows as in project_counts.sql.
CREATE OR REPLACE FUNCTION session_counts_add(moment timestamptz, is_running boolean, difference bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE of_day date := (moment AT TIME ZONE 'UTC')::date;
BEGIN
  UPDATE session_counts c SET total = c.total + difference WHERE c.id = (
    SELECT free.id FROM session_counts free WHERE free.day = of_day AND free.running = is_running
    LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO session_counts (day, running, total) VALUES (of_day, is_running, difference);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION study_sessions_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM session_counts_add(OLD.started_at, OLD.ended_at IS NULL, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM session_counts_add(NEW.started_at, NEW.ended_at IS NULL, 1); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_count AFTER INSERT OR DELETE ON study_sessions FOR EACH ROW
  EXECUTE FUNCTION study_sessions_count();
CREATE OR REPLACE TRIGGER study_sessions_count_moved AFTER UPDATE OF started_at, ended_at ON study_sessions FOR EACH ROW
  WHEN ((OLD.started_at, OLD.ended_at IS NULL) IS DISTINCT FROM (NEW.started_at, NEW.ended_at IS NULL))
  EXECUTE FUNCTION study_sessions_count();
