import type { Knex } from 'knex';

const indexes = {
  users_search_pairs_idx: 'ON users USING gin (character_pairs(search_text))',
  project_search_pairs_idx: 'ON project_search USING gin (character_pairs(content))',
  study_sessions_note_pairs_idx: `ON study_sessions USING gin (character_pairs(lower(note))) WHERE note <> ''`,
};

/**
 * Indexes of pairs without statistics. With them, the planner reads the whole table for a common word and computes the pairs
 * of each row, which takes a hundred times as long as the index. Statistics go with their index, so it is created again.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes))
    await knex.raw(`
      DROP INDEX ${name};
      CREATE INDEX ${name} ${definition};
      ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0;
    `);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS -1`);
}
