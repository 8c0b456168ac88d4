import type { Knex } from 'knex';

/** A calendar's secret address is a token that reads nothing else: at most one of a user, and none of the listed ones. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE personal_tokens DROP CONSTRAINT personal_tokens_scopes_known, ADD CONSTRAINT personal_tokens_scopes_known CHECK (
      scopes = '{calendar}' OR (
        scopes <@ '{read,sessions:write,projects:write,admin}' AND cardinality(scopes) BETWEEN 1 AND 4));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DELETE FROM sign_ins s USING personal_tokens p WHERE p.sign_in_id = s.id AND p.scopes = '{calendar}';
    ALTER TABLE personal_tokens DROP CONSTRAINT personal_tokens_scopes_known, ADD CONSTRAINT personal_tokens_scopes_known CHECK (
      scopes <@ '{read,sessions:write,projects:write,admin}' AND cardinality(scopes) BETWEEN 1 AND 4);
  `);
}
