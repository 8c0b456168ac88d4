import type { Knex } from 'knex';
import { buildIndex, dropIndex } from '../src/db/build-index.ts';

export const config = { transaction: false };

const indexes = {
  study_sessions_changes_idx: '(user_id, changed_in, id)',
  study_sessions_owner_changes_idx: '(owner_id, changed_in, id) WHERE owner_id <> user_id',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) await buildIndex(knex, { name, table: 'study_sessions', on });
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await dropIndex(knex, name);
}
