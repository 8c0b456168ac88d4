import type { Knex } from 'knex';

/** Changes by administrators, and those that live updates tell, stored by the transaction that makes them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_log (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
      at          timestamptz(3) NOT NULL DEFAULT now(),
      actor_id    bigint NOT NULL CONSTRAINT audit_log_actor_id_fkey REFERENCES users (id),
      action      text NOT NULL,
      request_id  text NOT NULL,
      target_type text NOT NULL CONSTRAINT audit_log_target_type_known CHECK (target_type IN (
                    'user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token', 'webhook')),
      -- One id; of assignments, those of the projects.
      target_ids  bigint[] NOT NULL,
      before      jsonb,
      after       jsonb
    );
    CREATE INDEX audit_log_newest_idx ON audit_log (at DESC, id DESC);
    CREATE INDEX audit_log_actor_idx ON audit_log (actor_id, at DESC, id DESC);
    CREATE INDEX audit_log_target_idx ON audit_log USING gin (target_ids);
  `);

  await knex.raw(`
    -- Adds an audit log row for the actor in the setting "studytrack.act", which verify_actor sets for administrators.
    CREATE FUNCTION audit_add(target_type text, target_ids bigint[], before jsonb, after jsonb) RETURNS void
    LANGUAGE sql AS $$
      INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, before, after)
      SELECT (act ->> 'actor_id')::bigint, act ->> 'action', act ->> 'request_id', $1, $2, $3, $4
      FROM (SELECT current_setting('studytrack.act')::jsonb AS act) AS said
    $$;
  `);

  await knex.raw(`
    -- Logs administrators' changes of other users' study sessions; a timer that ends is not a change. The text of a note is not logged,
    -- because it belongs to its author.
    CREATE FUNCTION audit_session() RETURNS trigger LANGUAGE plpgsql AS $$
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
    DROP FUNCTION audit_add, audit_session CASCADE;
    DROP TABLE audit_log;
  `);
}
