-- Logs changes by administrators. Arguments: the type of the row, then the columns to log. A trigger covers every code path; without
-- an actor in "studytrack.act" its condition is the only cost.
CREATE OR REPLACE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER users_audit AFTER INSERT OR UPDATE OR DELETE ON users FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_row('user', 'username', 'email', 'display_name', 'role', 'status', 'timezone', 'deleted_at');
-- Without the columns that study sessions and assignments write.
CREATE OR REPLACE TRIGGER projects_audit AFTER INSERT OR DELETE OR UPDATE OF
    user_id, name, description, status, category, target_hours, rating_standard, due_date, weekly_goal_hours, image,
    deleted_at
  ON projects FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_row('project', 'user_id', 'name', 'description', 'status', 'category', 'target_hours',
    'rating_standard', 'due_date', 'weekly_goal_hours', 'image', 'deleted_at');
-- Without the sender's text, which must not outlive the request.
CREATE OR REPLACE TRIGGER contact_requests_audit AFTER INSERT OR UPDATE OR DELETE ON contact_requests FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_row('contact_request', 'subject', 'status', 'admin_note', 'user_id');
CREATE OR REPLACE TRIGGER users_totp_audit AFTER UPDATE OF totp_secret ON users FOR EACH ROW
  WHEN (OLD.totp_enabled <> NEW.totp_enabled AND current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_row('user', 'totp_enabled');
CREATE OR REPLACE TRIGGER groups_audit AFTER INSERT OR DELETE OR UPDATE OF name ON groups FOR EACH ROW
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_row('group', 'name');
-- Without the columns that deliveries write. A change of the secret shows in previous_expires_at.
CREATE OR REPLACE TRIGGER webhooks_audit AFTER INSERT OR DELETE OR UPDATE OF url, events, active, previous_expires_at ON webhooks
  FOR EACH ROW WHEN (current_setting('studytrack.act', true) <> '')
  EXECUTE FUNCTION audit_row('webhook', 'url', 'events', 'active', 'previous_expires_at');
