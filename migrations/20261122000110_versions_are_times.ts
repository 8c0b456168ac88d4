import type { Knex } from 'knex';

const tables = ['projects', 'study_sessions'];

/** A new row begins with the present time as its version, as a changed one goes on. */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables)
    await knex.raw(`
      ALTER TABLE ${table} ALTER COLUMN row_version
        SET DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of tables) await knex.raw(`ALTER TABLE ${table} ALTER COLUMN row_version SET DEFAULT 1`);
}
