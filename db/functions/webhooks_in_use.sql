-- The sequence webhooks_in_use has a value while a webhook may be active, which is the condition of the triggers that write
-- events: nothing else that a condition can read costs so little, a fifth of a microsecond. A value is visible before the commit, so
-- none of the changes after it is missed. The service takes it back when no webhook is active (webhook-repository.ts).
CREATE OR REPLACE FUNCTION webhooks_in_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM setval('webhooks_in_use', 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhooks_in_use AFTER INSERT OR UPDATE OF active ON webhooks FOR EACH ROW
  WHEN (NEW.active) EXECUTE FUNCTION webhooks_in_use();
