import type { Knex } from 'knex';

/** The index of pairs does not serve a search of one character. Without statistics, like that one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX study_sessions_note_characters_idx ON study_sessions USING gin (string_to_array(lower(note), NULL))
      WHERE note <> '';
    ALTER INDEX study_sessions_note_characters_idx ALTER COLUMN 1 SET STATISTICS 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX study_sessions_note_characters_idx');
}
