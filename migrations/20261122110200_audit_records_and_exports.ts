import type { Knex } from 'knex';

/** What administrators do to the study records of others, and which personal data they export. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export'));

    -- Own records are nobody else's business, and a timer that ends is no correction. That a note was changed is stored,
    -- not its text, which belongs to the author.
    CREATE FUNCTION audit_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      told   text[] := '{project_id,user_id,started_at,ended_at}';
      before jsonb;
      after  jsonb;
    BEGIN
      IF OLD.user_id = (current_setting('studytrack.act')::jsonb ->> 'actor_id')::bigint THEN
        RETURN NULL;
      END IF;
      IF TG_OP = 'DELETE' THEN
        SELECT jsonb_object_agg(k.name, to_jsonb(OLD) -> k.name) INTO before FROM unnest(told) AS k (name);
      ELSE
        SELECT jsonb_object_agg(k.name, to_jsonb(OLD) -> k.name), jsonb_object_agg(k.name, to_jsonb(NEW) -> k.name)
        INTO before, after
        FROM unnest(told) AS k (name)
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
    CREATE TRIGGER study_sessions_audit_updated AFTER UPDATE OF project_id, user_id, started_at, ended_at, note
      ON study_sessions FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '' AND (OLD.ended_at IS NOT NULL OR NEW.ended_at IS NULL))
      EXECUTE FUNCTION audit_session();
    CREATE TRIGGER study_sessions_audit_deleted AFTER DELETE ON study_sessions FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_session();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER study_sessions_audit_deleted ON study_sessions;
    DROP TRIGGER study_sessions_audit_updated ON study_sessions;
    DROP FUNCTION audit_session();
    DELETE FROM audit_log WHERE target_type IN ('session', 'export');
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request'));
  `);
}
