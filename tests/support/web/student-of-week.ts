import type { Account } from '../accounts.ts';
import type { WebApp } from './web-app.ts';

/** The time for which `createStudent` writes records: a Friday. */
export const friday = new Date('2026-11-20T12:00:00Z');

/** Creates a student with two hours of algebra on each of the last three days, and one hour of guitar a month ago. */
export async function createStudent(
  app: WebApp,
  fields: object = {},
  algebraDue: string | null = null,
): Promise<Account> {
  const account = await app.createAccount(fields);
  await app.query(
    `WITH project AS (
       INSERT INTO projects (name, user_id, category, target_hours, due_date)
       VALUES ('Linear algebra', $1, 'academic', 40, $2), ('Guitar', $1, 'hobby', 0, NULL) RETURNING id, name
     ), record (name, started_at, length) AS (
       SELECT 'Linear algebra', timestamptz '2026-11-18 08:00Z' + day * interval '1 day', interval '2 hours'
       FROM generate_series(0, 2) day
       UNION ALL SELECT 'Guitar', '2026-10-20 08:00Z', interval '1 hour'
     )
     INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
     SELECT $1, $1, p.id, r.started_at, r.started_at + r.length, '', 'manual', 'UTC'
     FROM record r JOIN project p USING (name)`,
    [account.id, algebraDue],
  );
  return account;
}
