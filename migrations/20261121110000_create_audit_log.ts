import type { Knex } from 'knex';

/**
 * What administrators change, noted by the database in the same transaction, so that no code path can forget. A
 * transaction is an administrator's when it says so in the setting `studytrack.act`; for any other the condition of
 * the triggers is all it costs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_log (
      id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
      at          timestamptz(3) NOT NULL DEFAULT now(),
      actor_id    bigint NOT NULL CONSTRAINT audit_log_actor_id_fkey REFERENCES users (id),
      action      text NOT NULL,
      request_id  text NOT NULL,
      target_type text NOT NULL CONSTRAINT audit_log_target_type_known CHECK (
                    target_type IN ('user', 'project', 'assignment', 'contact_request')),
      -- One, or of assignments the projects.
      target_ids  bigint[] NOT NULL,
      before      jsonb,
      after       jsonb
    );
    CREATE INDEX audit_log_newest_idx ON audit_log (at DESC, id DESC);
    CREATE INDEX audit_log_actor_idx ON audit_log (actor_id, at DESC, id DESC);
    CREATE INDEX audit_log_target_idx ON audit_log USING gin (target_ids);

    CREATE FUNCTION audit_add(target_type text, target_ids bigint[], before jsonb, after jsonb) RETURNS void
    LANGUAGE sql AS $$
      INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, before, after)
      SELECT (act ->> 'actor_id')::bigint, act ->> 'action', act ->> 'request_id', $1, $2, $3, $4
      FROM (SELECT current_setting('studytrack.act')::jsonb AS act) AS said
    $$;

    -- Its arguments: what to call the row, then the columns that are told. A column that is not named stays unknown.
    CREATE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      was    jsonb := to_jsonb(OLD);
      is_now jsonb := to_jsonb(NEW);
      before jsonb;
      after  jsonb;
    BEGIN
      SELECT jsonb_object_agg(k.name, was -> k.name) FILTER (WHERE was IS NOT NULL),
        jsonb_object_agg(k.name, is_now -> k.name) FILTER (WHERE is_now IS NOT NULL)
      INTO before, after
      FROM unnest(TG_ARGV[1:]) AS k (name)
      WHERE was -> k.name IS DISTINCT FROM is_now -> k.name;
      IF is_now IS NOT NULL AND was -> 'password_hash' <> is_now -> 'password_hash' AND is_now ->> 'password_hash' IS NOT NULL THEN
        after := coalesce(after, '{}') || '{"password_changed": true}';
      END IF;
      IF before IS NOT NULL OR after IS NOT NULL THEN
        PERFORM audit_add(TG_ARGV[0], ARRAY[(coalesce(is_now, was) ->> 'id')::bigint], before, after);
      END IF;
      RETURN NULL;
    END $$;

    CREATE TRIGGER users_audit AFTER INSERT OR UPDATE OR DELETE ON users FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('user', 'username', 'email', 'display_name', 'role', 'status', 'timezone', 'deleted_at');
    -- Not for what study records and assignments write.
    CREATE TRIGGER projects_audit AFTER INSERT OR DELETE OR UPDATE OF
        user_id, name, description, status, category, target_hours, rating_standard, image, deleted_at
      ON projects FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('project', 'user_id', 'name', 'description', 'status', 'category', 'target_hours',
        'rating_standard', 'image', 'deleted_at');
    -- Nothing of what a stranger wrote: it goes for good when the request is deleted.
    CREATE TRIGGER contact_requests_audit AFTER INSERT OR UPDATE OR DELETE ON contact_requests FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('contact_request', 'subject', 'status', 'admin_note', 'user_id');

    -- One row a statement: a batch may touch a hundred thousand pairs.
    CREATE FUNCTION audit_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      projects bigint[];
      told     jsonb;
    BEGIN
      SELECT array_agg(DISTINCT c.project_id),
        jsonb_build_object('pairs', count(*), 'user_ids', jsonb_agg(DISTINCT c.user_id))
      INTO projects, told
      FROM changed c;
      IF projects IS NULL THEN
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' THEN
        told := told || '{"reordered": true}';
      END IF;
      PERFORM audit_add('assignment', projects, CASE WHEN TG_OP = 'DELETE' THEN told END,
        CASE WHEN TG_OP <> 'DELETE' THEN told END);
      RETURN NULL;
    END $$;
    CREATE TRIGGER project_assignments_audit_inserted AFTER INSERT ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();
    CREATE TRIGGER project_assignments_audit_updated AFTER UPDATE ON project_assignments
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();
    CREATE TRIGGER project_assignments_audit_deleted AFTER DELETE ON project_assignments
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_assignments();

    -- Whoever deletes a person's data means all of it. Named to fire after the trigger that notes the deletion.
    CREATE FUNCTION audit_forget() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE audit_log a
      SET before = a.before - '{username,email,display_name,admin_note}'::text[],
        after = a.after - '{username,email,display_name,admin_note}'::text[]
      WHERE a.target_type = TG_ARGV[0] AND a.target_ids @> ARRAY[OLD.id];
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_audit_forget AFTER UPDATE OF deleted_at ON users FOR EACH ROW
      WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION audit_forget('user');
    CREATE TRIGGER contact_requests_audit_forget AFTER DELETE ON contact_requests FOR EACH ROW
      EXECUTE FUNCTION audit_forget('contact_request');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER contact_requests_audit_forget ON contact_requests;
    DROP TRIGGER users_audit_forget ON users;
    DROP FUNCTION audit_forget();
    DROP TRIGGER project_assignments_audit_deleted ON project_assignments;
    DROP TRIGGER project_assignments_audit_updated ON project_assignments;
    DROP TRIGGER project_assignments_audit_inserted ON project_assignments;
    DROP FUNCTION audit_assignments();
    DROP TRIGGER contact_requests_audit ON contact_requests;
    DROP TRIGGER projects_audit ON projects;
    DROP TRIGGER users_audit ON users;
    DROP FUNCTION audit_row();
    DROP FUNCTION audit_add(text, bigint[], jsonb, jsonb);
    DROP TABLE audit_log;
  `);
}
