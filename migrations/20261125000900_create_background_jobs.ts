import type { Knex } from 'knex';

/** Work that a transaction leaves to a background job, and webhooks. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE background_jobs (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT background_jobs_pkey PRIMARY KEY,
      kind         text NOT NULL CONSTRAINT background_jobs_kind_form CHECK (kind ~ '^[a-z_]{1,40}$'),
      -- Jobs of one kind in different queues do not wait for each other.
      queue        text NOT NULL DEFAULT '' CONSTRAINT background_jobs_queue_length CHECK (char_length(queue) <= 40),
      -- Of the jobs of a queue with the same key, only the oldest may run.
      ordering_key text CONSTRAINT background_jobs_ordering_key_length CHECK (char_length(ordering_key) BETWEEN 1 AND 100),
      -- An encrypted string, or an object.
      payload      jsonb NOT NULL CONSTRAINT background_jobs_payload_type CHECK (jsonb_typeof(payload) IN ('string', 'object'))
                     CONSTRAINT background_jobs_payload_size CHECK (octet_length(payload::text) <= 200000),
      created_at   timestamptz(3) NOT NULL,
      -- When it is due; while it runs, the end of the lease.
      next_at      timestamptz(3) NOT NULL,
      claimed_at   timestamptz(3),
      -- Only the latest claim may report an outcome.
      claims       integer NOT NULL DEFAULT 0 CONSTRAINT background_jobs_claims_range CHECK (claims >= 0),
      failures     integer NOT NULL DEFAULT 0 CONSTRAINT background_jobs_failures_range CHECK (failures >= 0),
      -- Of the last attempt, if it failed.
      error_code   text CONSTRAINT background_jobs_error_code_length CHECK (char_length(error_code) BETWEEN 1 AND 60),
      failed_at    timestamptz(3),
      CONSTRAINT background_jobs_claim CHECK (claimed_at IS NULL OR (claims > 0 AND next_at > claimed_at)),
      CONSTRAINT background_jobs_failure CHECK ((error_code IS NULL) = (failed_at IS NULL))
    );
    CREATE INDEX background_jobs_queue_idx ON background_jobs (kind, queue, id);
    CREATE INDEX background_jobs_order_idx ON background_jobs (kind, queue, ordering_key, id) WHERE ordering_key IS NOT NULL;
    -- The last failure of each kind, for the overview. A claim changes no indexed column, so it writes no index (HOT).
    CREATE INDEX background_jobs_failed_idx ON background_jobs (kind, failed_at) WHERE failed_at IS NOT NULL;
  `);

  await knex.raw(`
    CREATE TABLE webhooks (
      id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhooks_pkey PRIMARY KEY,
      url                 text NOT NULL CONSTRAINT webhooks_url_form CHECK (url ~ '^https{0,1}://' AND char_length(url) <= 2000),
      events              text[] NOT NULL CONSTRAINT webhooks_events_number CHECK (cardinality(events) BETWEEN 1 AND 30),
      active              boolean NOT NULL DEFAULT true,
      -- Encrypted. The previous secret also signs until it expires.
      secret              text NOT NULL,
      previous_secret     text,
      previous_expires_at timestamptz(3),
      -- Why the service deactivated the webhook.
      disabled_reason     text CONSTRAINT webhooks_disabled_reason_known CHECK (disabled_reason IN ('failures')),
      -- Since when no events are recorded, because too many deliveries wait.
      skips_since         timestamptz(3),
      -- Consecutive ones.
      failures            integer NOT NULL DEFAULT 0 CONSTRAINT webhooks_failures_range CHECK (failures >= 0),
      paused_until        timestamptz(3),
      created_at          timestamptz(3) NOT NULL,
      updated_at          timestamptz(3) NOT NULL,
      row_version         bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      CONSTRAINT webhooks_disabled CHECK (disabled_reason IS NULL OR NOT active),
      CONSTRAINT webhooks_previous_secret CHECK ((previous_secret IS NULL) = (previous_expires_at IS NULL))
    );

    CREATE TABLE webhook_deliveries (
      id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
      webhook_id      bigint NOT NULL
                        CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
      -- By which the receiver recognizes a repetition.
      message_id      uuid NOT NULL DEFAULT gen_random_uuid(),
      type            text NOT NULL CONSTRAINT webhook_deliveries_type_form CHECK (type ~ '^[a-z_.]{1,40}$'),
      -- The object of the event; events of one object are delivered in order.
      object          text NOT NULL CONSTRAINT webhook_deliveries_object_length CHECK (char_length(object) BETWEEN 1 AND 60),
      data            jsonb NOT NULL,
      created_at      timestamptz(3) NOT NULL,
      state           text NOT NULL CONSTRAINT webhook_deliveries_state_known CHECK (state IN ('waiting', 'delivered', 'failed')),
      attempts        integer NOT NULL DEFAULT 0 CONSTRAINT webhook_deliveries_attempts_range CHECK (attempts >= 0),
      last_attempt_at timestamptz(3),
      next_attempt_at timestamptz(3),
      response_status integer,
      response_text   text CONSTRAINT webhook_deliveries_response_text_length CHECK (char_length(response_text) <= 300),
      error_code      text CONSTRAINT webhook_deliveries_error_code_length CHECK (char_length(error_code) BETWEEN 1 AND 60)
    );
    CREATE INDEX webhook_deliveries_webhook_idx ON webhook_deliveries (webhook_id, id DESC);
    CREATE INDEX webhook_deliveries_unfinished_idx ON webhook_deliveries (webhook_id, id DESC) WHERE state <> 'delivered';
    CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
    -- For deleting deliveries about what belonged to a deleted user.
    CREATE INDEX webhook_deliveries_user_idx ON webhook_deliveries ((data ->> 'user_id'));

    -- Not for deliveries.
    CREATE TRIGGER webhooks_row_version BEFORE UPDATE OF url, events, active, secret ON webhooks
      FOR EACH ROW EXECUTE FUNCTION touch_row();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE webhook_deliveries, webhooks, background_jobs;
  `);
}
