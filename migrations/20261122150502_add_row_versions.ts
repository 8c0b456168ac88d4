import type { Knex } from 'knex';

/** For If-Match on accounts and contact requests. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users ADD COLUMN row_version bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    ALTER TABLE contact_requests
      ADD COLUMN row_version bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      -- The administrator who changed the status or the note last.
      ADD COLUMN handled_by bigint CONSTRAINT contact_requests_handled_by_fkey REFERENCES users (id) ON DELETE SET NULL;
    CREATE INDEX contact_requests_handled_by_idx ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;
    CREATE INDEX contact_requests_email_idx ON contact_requests (lower(email), created_at DESC, id DESC);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS users_row_version ON users;
    DROP TRIGGER IF EXISTS contact_requests_row_version ON contact_requests;
    DROP INDEX contact_requests_email_idx;
    ALTER TABLE contact_requests DROP COLUMN row_version, DROP COLUMN handled_by;
    ALTER TABLE users DROP COLUMN row_version;
  `);
}
