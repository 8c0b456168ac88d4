import type { Knex } from 'knex';

/** Receivers of events outside, and what is delivered to them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE webhooks (
      id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhooks_pkey PRIMARY KEY,
      url                 text NOT NULL CONSTRAINT webhooks_url_form CHECK (url ~ '^https{0,1}://' AND char_length(url) <= 2000),
      events              text[] NOT NULL CONSTRAINT webhooks_events_number CHECK (cardinality(events) BETWEEN 1 AND 30),
      active              boolean NOT NULL DEFAULT true,
      -- Encrypted. The one before signs, too, until it expires.
      secret              text NOT NULL,
      previous_secret     text,
      previous_expires_at timestamptz(3),
      -- Why the service switched it off.
      disabled_reason     text CONSTRAINT webhooks_disabled_reason_known CHECK (disabled_reason IN ('failures', 'queue_full')),
      activated_at        timestamptz(3) NOT NULL,
      -- In a row.
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
      -- The receiver recognizes a repetition by it.
      message_id      uuid NOT NULL DEFAULT gen_random_uuid(),
      type            text NOT NULL CONSTRAINT webhook_deliveries_type_form CHECK (type ~ '^[a-z_.]{1,40}$'),
      -- What it is about; events of one object are delivered in order.
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
    -- Deliveries about what belongs to a user are deleted after their account.
    CREATE INDEX webhook_deliveries_user_idx ON webhook_deliveries ((data ->> 'user_id'));

    -- Whether a webhook may be active, as triggers read it.
    CREATE SEQUENCE webhooks_in_use OWNED BY webhooks.active;

    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known;
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token', 'webhook')
    ) NOT VALID;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS projects_webhooks_created ON projects;
    DROP TRIGGER IF EXISTS projects_webhooks_removed ON projects;
    DROP TRIGGER IF EXISTS projects_webhooks_changed ON projects;
    DROP TRIGGER IF EXISTS projects_webhooks_goal ON projects;
    DROP TRIGGER IF EXISTS study_sessions_webhooks_added ON study_sessions;
    DROP TRIGGER IF EXISTS study_sessions_webhooks_changed ON study_sessions;
    DROP TRIGGER IF EXISTS study_sessions_webhooks_removed ON study_sessions;
    DROP TRIGGER IF EXISTS project_assignments_webhooks_added ON project_assignments;
    DROP TRIGGER IF EXISTS project_assignments_webhooks_removed ON project_assignments;
    DROP TRIGGER IF EXISTS contact_requests_webhooks_created ON contact_requests;
    DROP TRIGGER IF EXISTS contact_requests_webhooks_changed ON contact_requests;
    DROP TABLE webhook_deliveries, webhooks;
    DROP FUNCTION IF EXISTS webhooks_in_use(), webhook_project(projects), webhook_session(study_sessions);
    DELETE FROM background_jobs WHERE kind = 'webhook_delivery';
    DELETE FROM audit_log WHERE target_type = 'webhook';
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known;
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token'));
  `);
}
