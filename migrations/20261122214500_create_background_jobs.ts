import type { Knex } from 'knex';

/**
 * Work that a transaction leaves to be done after its commit. The outboxes of mails remain for processes of the version
 * before; those of this one move their rows here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE background_jobs (
      id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT background_jobs_pkey PRIMARY KEY,
      kind         text NOT NULL CONSTRAINT background_jobs_kind_form CHECK (kind ~ '^[a-z_]{1,40}$'),
      -- Jobs of one kind in different queues do not wait for each other.
      queue        text NOT NULL DEFAULT '' CONSTRAINT background_jobs_queue_length CHECK (char_length(queue) <= 40),
      -- Of the jobs of a queue with the same key, only the oldest may run.
      ordering_key text CONSTRAINT background_jobs_ordering_key_length CHECK (char_length(ordering_key) BETWEEN 1 AND 100),
      -- Text where it is sealed, otherwise an object.
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
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE background_jobs');
}
