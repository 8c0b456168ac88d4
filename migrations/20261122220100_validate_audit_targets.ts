import type { Knex } from 'knex';

/** In a transaction of its own: it reads the whole log, under a lock that lets others write. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE audit_log VALIDATE CONSTRAINT audit_log_target_type_known');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known;
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token', 'webhook')
    ) NOT VALID;
  `);
}
