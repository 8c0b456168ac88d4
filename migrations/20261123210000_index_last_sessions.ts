import type { Knex } from 'knex';
import { buildIndex, dropIndex } from '../src/db/build-index.ts';

export const config = { transaction: false };

const table = 'project_user_totals';

/**
 * The latest session of a project comes from the totals of its users: in `study_sessions` each partition would have to be
 * searched. The index also finds what the one that it replaces found.
 */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, { name: 'project_user_totals_last_session_idx', table, on: '(project_id, last_session)' });
  await dropIndex(knex, 'project_user_totals_project_idx');
}

export async function down(knex: Knex): Promise<void> {
  await buildIndex(knex, { name: 'project_user_totals_project_idx', table, on: '(project_id)' });
  await dropIndex(knex, 'project_user_totals_last_session_idx');
}
