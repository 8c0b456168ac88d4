-- The sequence webhooks_in_use has a value while a webhook may be active: the condition of event triggers, and the cheapest one
-- (0.2 µs). Sequences are not transactional, so the value is visible before the commit and no later change is missed. The service
-- resets it when no webhook is active (webhook-repository.ts).
CREATE OR REPLACE FUNCTION webhooks_in_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('webhooks_in_use', 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_in_use AFTER INSERT OR UPDATE OF active ON webhooks FOR EACH ROW
  WHEN (NEW.active) EXECUTE FUNCTION webhooks_in_use();
