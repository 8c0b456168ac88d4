import type { Knex } from 'knex';

/** What teachers write about a student for other teachers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE student_notes (
      user_id     bigint CONSTRAINT student_notes_pkey PRIMARY KEY
                    CONSTRAINT student_notes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      text        text NOT NULL CONSTRAINT student_notes_text_length CHECK (char_length(text) BETWEEN 1 AND 2000),
      -- Who wrote it last; null: the account was deleted.
      updated_by  bigint CONSTRAINT student_notes_updated_by_fkey REFERENCES users (id) ON DELETE SET NULL,
      updated_at  timestamptz(3) NOT NULL DEFAULT now(),
      row_version bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
    );
    CREATE INDEX student_notes_updated_by_idx ON student_notes (updated_by);
    CREATE TRIGGER student_notes_row_version BEFORE UPDATE OF text ON student_notes
      FOR EACH ROW EXECUTE FUNCTION touch_row();
    COMMENT ON COLUMN student_notes.updated_by IS 'null: the account was deleted';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE student_notes');
}
