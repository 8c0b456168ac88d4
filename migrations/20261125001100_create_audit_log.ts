import type { Knex } from 'knex';

/** Changes by administrators, stored by the transaction that makes them. */
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
    -- Logs changes by administrators. Arguments: the type of the row, then the columns to log. A trigger covers every code path; without
    -- an actor in "studytrack.act" its condition is the only cost.
    CREATE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      old_row jsonb := to_jsonb(OLD);
      new_row jsonb := to_jsonb(NEW);
      before  jsonb;
      after   jsonb;
    BEGIN
      SELECT jsonb_object_agg(k.name, old_row -> k.name) FILTER (WHERE old_row IS NOT NULL),
        jsonb_object_agg(k.name, new_row -> k.name) FILTER (WHERE new_row IS NOT NULL)
      INTO before, after
      FROM unnest(TG_ARGV[1:]) AS k (name)
      WHERE old_row -> k.name IS DISTINCT FROM new_row -> k.name;
      IF new_row IS NOT NULL AND old_row -> 'password_hash' <> new_row -> 'password_hash' AND new_row ->> 'password_hash' IS NOT NULL THEN
        after := coalesce(after, '{}') || '{"password_changed": true}';
      END IF;
      IF before IS NOT NULL OR after IS NOT NULL THEN
        PERFORM audit_add(TG_ARGV[0], ARRAY[(coalesce(new_row, old_row) ->> 'id')::bigint], before, after);
      END IF;
      RETURN NULL;
    END $$;

    CREATE TRIGGER users_audit AFTER INSERT OR UPDATE OR DELETE ON users FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('user', 'username', 'email', 'display_name', 'role', 'status', 'timezone', 'deleted_at');
    -- Without the columns that study sessions and assignments write.
    CREATE TRIGGER projects_audit AFTER INSERT OR DELETE OR UPDATE OF
        user_id, name, description, status, category, target_hours, rating_standard, due_date, weekly_goal_hours, image,
        deleted_at
      ON projects FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('project', 'user_id', 'name', 'description', 'status', 'category', 'target_hours',
        'rating_standard', 'due_date', 'weekly_goal_hours', 'image', 'deleted_at');
    -- Without the sender's text, which must not outlive the request.
    CREATE TRIGGER contact_requests_audit AFTER INSERT OR UPDATE OR DELETE ON contact_requests FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('contact_request', 'subject', 'status', 'admin_note', 'user_id');
    CREATE TRIGGER users_totp_audit AFTER UPDATE OF totp_secret ON users FOR EACH ROW
      WHEN (OLD.totp_enabled <> NEW.totp_enabled AND current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('user', 'totp_enabled');
    CREATE TRIGGER groups_audit AFTER INSERT OR DELETE OR UPDATE OF name ON groups FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_row('group', 'name');
    -- Without the columns that deliveries write. A change of the secret shows in previous_expires_at.
    CREATE TRIGGER webhooks_audit AFTER INSERT OR DELETE OR UPDATE OF url, events, active, previous_expires_at ON webhooks
      FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_row('webhook', 'url', 'events', 'active', 'previous_expires_at');
  `);

  await knex.raw(`
    -- Deletes personal data from the audit log. The trigger names sort after those of audit_row, which log the deletion.
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

  await knex.raw(`
    -- A link for setting a password that an administrator created, logged as a field of the account.
    CREATE FUNCTION audit_account_link() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM audit_add('user', ARRAY[NEW.user_id], NULL, jsonb_build_object('link', NEW.purpose));
      RETURN NULL;
    END $$;

    CREATE TRIGGER account_links_audit AFTER INSERT ON account_links FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_account_link();
  `);

  await knex.raw(`
    -- Tokens that administrators create, or end by revoking the token's sign-in.
    CREATE FUNCTION audit_personal_token() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM audit_add('personal_token', ARRAY[p.id],
        jsonb_build_object('user_id', NEW.user_id, 'name', p.name, 'scopes', p.scopes), NULL)
      FROM personal_tokens p WHERE p.sign_in_id = NEW.id;
      RETURN NULL;
    END $$;

    CREATE TRIGGER sign_ins_audit_personal_token AFTER UPDATE OF revoked_at ON sign_ins FOR EACH ROW
      WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND current_setting('studytrack.act', true) <> '')
      EXECUTE FUNCTION audit_personal_token();
    CREATE TRIGGER personal_tokens_audit AFTER INSERT ON personal_tokens FOR EACH ROW
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_row('personal_token', 'name', 'scopes');
  `);

  await knex.raw(`
    -- One audit log row per changed group and statement.
    CREATE FUNCTION audit_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM audit_add('group', ARRAY[c.group_id], CASE WHEN TG_OP = 'DELETE' THEN c.details END,
        CASE WHEN TG_OP = 'INSERT' THEN c.details END)
      FROM (
        SELECT m.group_id, jsonb_build_object('user_ids', jsonb_agg(m.user_id ORDER BY m.user_id)) AS details
        FROM changed m GROUP BY m.group_id) AS c;
      RETURN NULL;
    END $$;

    CREATE TRIGGER group_members_audit_added AFTER INSERT ON group_members
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_group_members();
    CREATE TRIGGER group_members_audit_removed AFTER DELETE ON group_members
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
      WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_group_members();
  `);

  await knex.raw(`
    -- One audit log row per statement, because a batch may write a hundred thousand assignments.
    CREATE FUNCTION audit_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      projects bigint[];
      details  jsonb;
    BEGIN
      SELECT array_agg(DISTINCT c.project_id),
        jsonb_build_object('pairs', count(*), 'user_ids', jsonb_agg(DISTINCT c.user_id))
      INTO projects, details
      FROM changed c;
      IF projects IS NULL THEN
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' THEN
        details := details || '{"reordered": true}';
      END IF;
      PERFORM audit_add('assignment', projects, CASE WHEN TG_OP = 'DELETE' THEN details END,
        CASE WHEN TG_OP <> 'DELETE' THEN details END);
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
    DROP FUNCTION audit_add, audit_row, audit_forget, audit_account_link, audit_personal_token,
      audit_group_members, audit_assignments, audit_session CASCADE;
    DROP TABLE audit_log;
  `);
}
