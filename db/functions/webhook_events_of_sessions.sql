-- Events session.*, including timers, which are sessions without an end.
CREATE OR REPLACE FUNCTION webhook_session(s study_sessions) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', s.id, 'project_id', s.project_id, 'user_id', s.user_id,
    'started_at', webhook_moment(s.started_at), 'ended_at', webhook_moment(s.ended_at), 'duration_seconds', s.duration_seconds,
    'hours', round(s.duration_seconds / 3600.0, 2), 'note', s.note, 'source', s.source, 'time_zone', s.time_zone,
    'auto_stopped', s.auto_stopped, 'created_at', webhook_moment(s.created_at), 'updated_at', webhook_moment(s.updated_at))
$$;

CREATE OR REPLACE FUNCTION study_sessions_webhooks_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_webhook_events(array_agg('session.created'::text ORDER BY n.id), array_agg('session:' || n.id ORDER BY n.id),
    array_agg(webhook_session(n) ORDER BY n.id)) FROM new_rows n HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION study_sessions_webhooks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_webhook_events(array_agg('session.updated'::text ORDER BY n.id), array_agg('session:' || n.id ORDER BY n.id),
    array_agg(webhook_session(n) ORDER BY n.id))
  FROM new_rows n JOIN old_rows o ON o.id = n.id
  WHERE (o.project_id, o.started_at, o.ended_at, o.note, o.time_zone) IS DISTINCT FROM
    (n.project_id, n.started_at, n.ended_at, n.note, n.time_zone)
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION study_sessions_webhooks_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_webhook_events(array_agg('session.deleted'::text ORDER BY o.id), array_agg('session:' || o.id ORDER BY o.id),
    array_agg(jsonb_build_object('id', o.id, 'project_id', o.project_id, 'user_id', o.user_id) ORDER BY o.id))
  FROM old_rows o HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER study_sessions_webhooks_added AFTER INSERT ON study_sessions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION study_sessions_webhooks_added();
CREATE OR REPLACE TRIGGER study_sessions_webhooks_changed AFTER UPDATE ON study_sessions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION study_sessions_webhooks_changed();
CREATE OR REPLACE TRIGGER study_sessions_webhooks_removed AFTER DELETE ON study_sessions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION study_sessions_webhooks_removed();
