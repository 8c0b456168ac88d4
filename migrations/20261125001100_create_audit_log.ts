import type { Knex } from 'knex';

/** Changes by administrators, and those that live updates tell, stored by the transaction that makes them. */
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

    -- What changed in the last minute, and for whom; without a user for administrators. Not logged: after a crash,
    -- listeners reload everything.
    CREATE UNLOGGED TABLE live_updates (
      changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
      written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      user_id    bigint,
      topic      text NOT NULL CONSTRAINT live_updates_topic_known CHECK (topic IN ('projects', 'sessions', 'timer', 'inbox'))
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE live_updates, audit_log;
  `);
}
