import type { Knex } from 'knex';

/** Personal access tokens: long-lived, with few rights, for programs of a user. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE personal_tokens (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT personal_tokens_pkey PRIMARY KEY,
      -- Each token has a sign-in of its own, so that whatever ends the sign-ins of a user ends their tokens, too.
      sign_in_id uuid NOT NULL CONSTRAINT personal_tokens_sign_in_id_key UNIQUE
                 CONSTRAINT personal_tokens_sign_in_id_fkey REFERENCES sign_ins (id) ON DELETE CASCADE,
      name       text NOT NULL CONSTRAINT personal_tokens_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      scopes     text[] NOT NULL CONSTRAINT personal_tokens_scopes_known CHECK (
                   scopes <@ '{read,sessions:write,projects:write,admin}' AND cardinality(scopes) BETWEEN 1 AND 4),
      token_hash bytea NOT NULL CONSTRAINT personal_tokens_token_hash_key UNIQUE
    );

    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS sign_ins_audit_personal_token ON sign_ins;
    DROP FUNCTION IF EXISTS audit_personal_token();
    DELETE FROM sign_ins s USING personal_tokens p WHERE p.sign_in_id = s.id;
    DROP TABLE personal_tokens;
    DELETE FROM audit_log WHERE target_type = 'personal_token';
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known, ADD CONSTRAINT audit_log_target_type_known CHECK (
      target_type IN ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group'));
  `);
}
