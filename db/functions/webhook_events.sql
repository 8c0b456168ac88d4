-- Stores webhook events in the transaction of the change: a delivery and its job for each event and webhook, in the given order.
-- Callers hold the object's lock, so that the ids of its jobs are in commit order.
CREATE OR REPLACE FUNCTION add_webhook_events(types text[], objects text[], data jsonb[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH added AS (
    INSERT INTO webhook_deliveries (webhook_id, type, object, data, created_at, state)
    SELECT w.id, e.type, e.object, e.data, now(), 'waiting'
    FROM unnest(types, objects, data) WITH ORDINALITY AS e (type, object, data, position)
    JOIN webhooks w ON w.active AND e.type = ANY (w.events)
    ORDER BY e.position, w.id
    RETURNING id, webhook_id, object)
  INSERT INTO background_jobs (kind, queue, ordering_key, payload, created_at, next_at)
  SELECT 'webhook_delivery', a.webhook_id::text, a.object, jsonb_build_object('delivery_id', a.id), now(), 'epoch'
  FROM added a ORDER BY a.id;
END $$;

-- The API's time format.
CREATE OR REPLACE FUNCTION webhook_moment(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS
  $$SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')$$;
