import type { MadeUpRecord } from '../../../seeds/study.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { execute } from '../../db/statements.ts';
import { learnedFrom } from '../../features/study/tags/tag-sql.ts';

// One statement per student, for a thousand records in a second.
export const insertRecords = execute('insert_example_records', (userId: number, records: readonly MadeUpRecord[]) => {
  const times = (of: (record: MadeUpRecord) => Date) =>
    t.timestamptzs(records.map((record) => of(record).toISOString()));
  const author = t.bigint(userId);
  const tags = t.texts(records.map(({ tag }) => tag ?? ''));
  return sql`
    WITH ${learnedFrom(sql`SELECT ${author}, tag FROM unnest(${tags}) AS tag WHERE tag <> ''`)}
    INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, tags, source, time_zone)
    SELECT r.project_id, p.user_id, u.id, r.started_at, r.ended_at, r.note, array_remove(ARRAY[r.tag], ''), 'manual', u.timezone
    FROM unnest((SELECT ${t.bigints(records.map(({ project_id }) => project_id))}), (SELECT ${times((one) => one.started_at)}),
      (SELECT ${times((one) => one.ended_at)}), (SELECT ${t.texts(records.map(({ note }) => note))}), (SELECT ${tags}))
      AS r (project_id, started_at, ended_at, note, tag)
    JOIN projects p ON p.id = r.project_id JOIN users u ON u.id = ${author}`;
});

export const leaveList = execute(
  'leave_example_list',
  (id: number) => sql`UPDATE projects SET deleted_at = now() WHERE id = ${t.bigint(id)}`,
);
export const returnToList = execute(
  'return_to_example_list',
  (id: number, at: Date) => sql`
    UPDATE projects SET deleted_at = NULL, created_at = ${t.timestamptz(at)}, plan_started_at = ${t.timestamptz(at)}
    WHERE id = ${t.bigint(id)}`,
);

/** The students' accounts and assignments are as old as their study. */
export const joinEarlier = execute(
  'join_example_earlier',
  (userIds: readonly number[], at: Date) => sql`
    WITH assignments AS (
      UPDATE project_assignments SET assigned_at = project_created_at WHERE user_id = ANY (${t.bigints(userIds)}))
    UPDATE users SET created_at = ${t.timestamptz(at)} WHERE id = ANY (${t.bigints(userIds)})`,
);
