import type { Knex } from 'knex';

/** For the search in notes. Most records have none, and cost nothing here. */
export async function up(knex: Knex): Promise<void> {
  // The function returned the same pairs before, in a time that grew with the square of the text's length.
  await knex.raw(`
    CREATE OR REPLACE FUNCTION character_pairs(content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(pair.first || pair.second), '{}')
      FROM (SELECT string_to_array(lower(content), NULL) AS list) AS c, unnest(c.list, c.list[2:]) AS pair (first, second)
      WHERE pair.second IS NOT NULL
    $$;
    CREATE INDEX study_sessions_note_pairs_idx ON study_sessions USING gin (character_pairs(lower(note))) WHERE note <> '';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX study_sessions_note_pairs_idx');
}
