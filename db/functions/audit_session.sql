-- Logs administrators' changes of other users' study sessions; a timer that ends is not a change. The text of a note is not logged,
-- because it belongs to its author.
CREATE OR REPLACE FUNCTION audit_session() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  logged text[] := '{project_id,user_id,started_at,ended_at}';
  before jsonb;
  after  jsonb;
BEGIN
  IF OLD.user_id = (current_setting('studytrack.act')::jsonb ->> 'actor_id')::bigint THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    SELECT jsonb_object_agg(k.name, to_jsonb(OLD) -> k.name) INTO before FROM unnest(logged) AS k (name);
  ELSE
    SELECT jsonb_object_agg(k.name, to_jsonb(OLD) -> k.name), jsonb_object_agg(k.name, to_jsonb(NEW) -> k.name)
    INTO before, after
    FROM unnest(logged) AS k (name)
    WHERE to_jsonb(OLD) -> k.name IS DISTINCT FROM to_jsonb(NEW) -> k.name;
    IF OLD.note <> NEW.note THEN
      after := coalesce(after, '{}') || '{"note_changed": true}';
    END IF;
  END IF;
  IF before IS NOT NULL OR after IS NOT NULL THEN
    PERFORM audit_add('session', ARRAY[OLD.id], before, after);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_audit_updated AFTER UPDATE OF project_id, user_id, started_at, ended_at, note
  ON study_sessions FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '' AND (OLD.ended_at IS NOT NULL OR NEW.ended_at IS NULL))
  EXECUTE FUNCTION audit_session();
CREATE OR REPLACE TRIGGER study_sessions_audit_deleted AFTER DELETE ON study_sessions FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_session();
