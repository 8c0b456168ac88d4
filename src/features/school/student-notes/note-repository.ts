import type { Executor } from '../../../db/database.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, maybeOne, one } from '../../../db/statements.ts';

const columns = {
  text: t.text,
  updated_by: t.bigint.orNull,
  author: t.text.orNull,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
export type NoteRow = RowOf<typeof columns>;

const selected = sql`n.text, n.updated_by, a.display_name AS author, n.updated_at, n.row_version`;
const author = sql`LEFT JOIN users a ON a.id = n.updated_by`;

export const find = maybeOne(
  'find_student_note',
  columns,
  (userId: number) => sql`
    SELECT ${selected} FROM student_notes n ${author} WHERE n.user_id = ${t.bigint(userId)}`,
);
// Administrators are no students: a note that was written before somebody became one is not shown to their colleagues.
const selectStudent = (userId: number) => sql`
    SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.role = 'user' AND u.deleted_at IS NULL`;
export const findStudent = maybeOne('find_student_of_note', { id: t.bigint }, selectStudent);
// Concurrent changes of the note wait for this lock, also while there is none yet.
export const lockStudent = maybeOne(
  'lock_student_of_note',
  { id: t.bigint },
  (userId: number) => sql`${selectStudent(userId)} FOR NO KEY UPDATE`,
);
export const save = one('save_student_note', columns, (userId: number, text: string, by: number, at: Date) => {
  const [value, writer, time] = [t.text(text), t.bigint(by), t.timestamptz(at)];
  return sql`
    WITH n AS (
      INSERT INTO student_notes AS s (user_id, text, updated_by, updated_at)
      VALUES (${t.bigint(userId)}, ${value}, ${writer}, ${time})
      ON CONFLICT (user_id) DO UPDATE
      SET text = ${value}, updated_by = ${writer}, updated_at = greatest(s.updated_at, ${time})
      RETURNING *)
    SELECT ${selected} FROM n ${author}`;
});
/** The notes that somebody wrote remain, without their name. */
export const forgetAuthor = execute(
  'forget_author_of_student_notes',
  (userId: number) => sql`UPDATE student_notes SET updated_by = NULL WHERE updated_by = ${t.bigint(userId)}`,
);
export const remove = async (db: Executor, userId: number) =>
  db.table('student_notes', 'delete_student_note').where({ user_id: userId }).delete();
