-- Events contact.*, without the sender's text, which must not outlive the request.
CREATE OR REPLACE FUNCTION contact_requests_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_webhook_events(ARRAY[CASE TG_OP WHEN 'INSERT' THEN 'contact.created' ELSE 'contact.status_changed' END],
    ARRAY['contact_request:' || NEW.id],
    ARRAY[jsonb_build_object('id', NEW.id, 'subject', NEW.subject, 'status', NEW.status, 'user_id', NEW.user_id,
      'handled_by', NEW.handled_by, 'created_at', webhook_moment(NEW.created_at), 'updated_at', webhook_moment(NEW.updated_at))]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER contact_requests_webhooks_created AFTER INSERT ON contact_requests FOR EACH ROW
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL) EXECUTE FUNCTION contact_requests_webhooks();
CREATE OR REPLACE TRIGGER contact_requests_webhooks_changed AFTER UPDATE OF status ON contact_requests FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION contact_requests_webhooks();
