import type { Knex } from 'knex';
import { buildIndex, dropIndex } from '../src/db/build-index.ts';

export const config = { transaction: false };

const name = 'study_sessions_note_characters_idx';

/** The index of pairs does not serve a search of one character. Without statistics, like that one. */
export async function up(knex: Knex): Promise<void> {
  const on = `USING gin (string_to_array(lower(note), NULL)) WHERE note <> ''`;
  await buildIndex(knex, { name, table: 'study_sessions', on });
  await knex.raw(`ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0`);
}

export async function down(knex: Knex): Promise<void> {
  await dropIndex(knex, name);
}
