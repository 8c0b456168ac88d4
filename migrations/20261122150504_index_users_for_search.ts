import type { Knex } from 'knex';

/** For lists of users: the text that a search compares, an index of it, and one to count ordinary users without the table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users ADD COLUMN search_text text NOT NULL
      GENERATED ALWAYS AS (lower(username || E'\\n' || coalesce(email, '') || E'\\n' || display_name)) STORED;
    CREATE INDEX users_search_pairs_idx ON users USING gin (character_pairs(search_text));
    CREATE INDEX users_ordinary_idx ON users (id) INCLUDE (status) WHERE role = 'user' AND deleted_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX users_ordinary_idx;
    ALTER TABLE users DROP COLUMN search_text;
  `);
}
