import type { Knex } from 'knex';

/** What users need to recognise their own sign-ins. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sign_ins
      ADD COLUMN device text NOT NULL DEFAULT ''
        CONSTRAINT sign_ins_device_length CHECK (char_length(device) <= 200),
      ADD COLUMN address text NOT NULL DEFAULT '',
      -- NULL until the first refresh.
      ADD COLUMN last_used_at timestamptz(3);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_ins DROP COLUMN device, DROP COLUMN address, DROP COLUMN last_used_at');
}
