import type { Executor } from '../../../db/executor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import { assignedProjects, ownProjects } from '../../study/project-access/project-sql.ts';
import { shownProjectName } from '../../study/study-sessions/session-sql.ts';

const recordColumns = {
  id: t.bigint,
  project_name: t.text,
  started_at: t.timestamptz,
  ended_at: t.timestamptz,
  note: t.text,
  updated_at: t.timestamptz,
};

export const readRecords = many(
  'read_calendar_records',
  recordColumns,
  (userId: number, since: Date, limit: number) => {
    const user = t.bigint(userId);
    return sql`
    SELECT s.id, ${shownProjectName(user)} AS project_name, s.started_at, coalesce(s.ended_at, s.started_at) AS ended_at,
      s.note, s.updated_at
    FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.user_id = ${user} AND s.started_at >= ${t.timestamptz(since)} AND s.ended_at IS NOT NULL
    ORDER BY s.started_at DESC, s.id DESC LIMIT ${t.bigint(limit)}`;
  },
);

const dueColumns = { id: t.bigint, name: t.text, due_date: t.date, updated_at: t.timestamptz };
export const readDueDates = many(
  'read_calendar_due_dates',
  dueColumns,
  (userId: number, since: Date, limit: number) => {
    const user = t.bigint(userId);
    return sql`
    SELECT p.id, p.name, p.due_date, p.updated_at
    FROM (${ownProjects(user)} UNION ALL ${assignedProjects(user)}) AS seen JOIN projects p ON p.id = seen.id
    WHERE p.due_date >= ${t.timestamptz(since)}::date
    ORDER BY p.due_date, p.id LIMIT ${t.bigint(limit)}`;
  },
);

/** An active user. */
export const readOwner = async (db: Executor, id: number) =>
  db
    .table('users', 'read_owner_of_calendar')
    .where({ id, status: 'active' })
    .first('locale', 'timezone', 'calendar_uid');
