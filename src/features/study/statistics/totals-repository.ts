import type { Executor } from '../../../db/executor.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many } from '../../../db/statements.ts';

const projectDriftColumns = {
  project_id: t.bigint,
  stored_seconds: t.bigint,
  actual_seconds: t.bigint,
  stored_count: t.integer,
  actual_count: t.bigint,
};
export type ProjectDrift = RowOf<typeof projectDriftColumns>;

const driftingProjects = (filter: Sql) => sql`
  SELECT p.id AS project_id, p.current_seconds AS stored_seconds, coalesce(t.seconds, 0) AS actual_seconds,
    p.sessions_count AS stored_count, coalesce(t.number, 0) AS actual_count
  FROM projects p
  LEFT JOIN (
    SELECT s.project_id, sum(s.duration_seconds) AS seconds, count(*) AS number
    FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.project_id) AS t ON t.project_id = p.id
  WHERE (p.current_seconds, p.sessions_count) IS DISTINCT FROM (coalesce(t.seconds, 0), coalesce(t.number, 0)) ${filter}`;

export const findProjectDrift = many(
  'find_project_drift',
  projectDriftColumns,
  () => sql`${driftingProjects(empty)} ORDER BY p.id`,
);
const lockProjects = execute(
  'lock_drifting_projects',
  (ids: readonly number[]) =>
    sql`SELECT p.id FROM projects p WHERE p.id = ANY(${t.bigints(ids)}) ORDER BY p.id FOR NO KEY UPDATE`,
);
const repairProjectsStatement = execute(
  'repair_project_totals',
  (ids: readonly number[]) => sql`
    UPDATE projects p SET current_seconds = d.actual_seconds, sessions_count = d.actual_count
    FROM (${driftingProjects(sql`AND p.id = ANY(${t.bigints(ids)})`)}) AS d WHERE d.project_id = p.id`,
);

const userDriftColumns = {
  user_id: t.bigint,
  stored_seconds: t.bigint,
  actual_seconds: t.bigint,
};
/** A user whose stored total or latest session differs from their sessions. */
export type UserDrift = RowOf<typeof userDriftColumns>;

export const findUserDrift = many(
  'find_user_drift',
  userDriftColumns,
  () => sql`
    SELECT coalesce(t.user_id, k.user_id) AS user_id, coalesce(k.seconds, 0) AS stored_seconds,
      coalesce(t.seconds, 0) AS actual_seconds
    FROM user_study_totals k
    FULL JOIN (
      SELECT s.user_id, sum(s.duration_seconds) AS seconds, count(*) AS number, max(s.ended_at) AS latest
      FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.user_id) AS t ON t.user_id = k.user_id
    WHERE coalesce(k.seconds, 0) <> coalesce(t.seconds, 0) OR coalesce(k.sessions_count, 0) <> coalesce(t.number, 0)
      OR k.last_session_at IS DISTINCT FROM t.latest
    ORDER BY 1`,
);
const lockUser = execute(
  'lock_user_total',
  (userId: number) => sql`
    INSERT INTO user_study_totals AS k (user_id, seconds) VALUES (${t.bigint(userId)}, 0)
    ON CONFLICT (user_id) DO UPDATE SET seconds = k.seconds`,
);
const repairUserStatement = execute(
  'repair_user_total',
  (userId: number) => sql`
    UPDATE user_study_totals k
    SET seconds = actual.seconds, sessions_count = actual.number, last_session_at = actual.latest
    FROM (
      SELECT coalesce(sum(s.duration_seconds), 0) AS seconds, count(*) AS number, max(s.ended_at) AS latest
      FROM study_sessions s
      WHERE s.user_id = ${t.bigint(userId)} AND s.ended_at IS NOT NULL) AS actual
    WHERE k.user_id = ${t.bigint(userId)}`,
);
/** Users with finished sessions, and their time zones. */
export const listUsers = many(
  'list_users_with_sessions',
  { id: t.bigint, zone: t.text },
  () => sql`
    SELECT u.id, u.timezone AS zone FROM user_study_totals k JOIN users u ON u.id = k.user_id
    WHERE k.seconds > 0 AND u.deleted_at IS NULL ORDER BY u.id`,
);

const partDriftColumns = {
  user_id: t.bigint,
  project_id: t.bigint,
  stored_seconds: t.bigint,
  actual_seconds: t.bigint,
  stored_count: t.integer,
  actual_count: t.bigint,
};
export type PartDrift = RowOf<typeof partDriftColumns>;

const driftingParts = (sessionFilter: Sql, totalFilter: Sql) => sql`
  SELECT user_id, project_id, coalesce(k.seconds, 0) AS stored_seconds, coalesce(a.seconds, 0) AS actual_seconds,
    coalesce(k.sessions_count, 0) AS stored_count, coalesce(a.number, 0) AS actual_count, a.last_session
  FROM (SELECT * FROM project_user_totals ${totalFilter}) AS k
  FULL JOIN (
    SELECT s.user_id, s.project_id, sum(s.duration_seconds) AS seconds, count(*) AS number, max(s.ended_at) AS last_session
    FROM study_sessions s WHERE s.ended_at IS NOT NULL ${sessionFilter} GROUP BY s.user_id, s.project_id) AS a
    USING (user_id, project_id)
  WHERE (coalesce(k.seconds, 0), coalesce(k.sessions_count, 0), k.last_session)
    IS DISTINCT FROM (coalesce(a.seconds, 0), coalesce(a.number, 0), a.last_session)`;

export const findPartDrift = many(
  'find_part_drift',
  partDriftColumns,
  () => sql`
    SELECT d.user_id, d.project_id, d.stored_seconds, d.actual_seconds, d.stored_count, d.actual_count
    FROM (${driftingParts(empty, empty)}) AS d ORDER BY d.user_id, d.project_id`,
);
const repairPartsStatement = execute('repair_parts', (projectIds: readonly number[]) => {
  const ids = t.bigints(projectIds);
  return sql`
    INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count, last_session)
    SELECT d.user_id, d.project_id, d.actual_seconds, d.actual_count, d.last_session
    FROM (${driftingParts(sql`AND s.project_id = ANY(${ids})`, sql`WHERE project_id = ANY(${ids})`)}) AS d
    ON CONFLICT (user_id, project_id) DO UPDATE
      SET seconds = excluded.seconds, sessions_count = excluded.sessions_count, last_session = excluded.last_session`;
});

/** Writers of sessions lock the project first, so nothing changes between the two statements. */
export async function repairProjects(db: Executor, projectIds: readonly number[]): Promise<void> {
  await lockProjects(db, projectIds);
  await repairProjectsStatement(db, projectIds);
}
export async function repairParts(db: Executor, projectIds: readonly number[]): Promise<void> {
  await lockProjects(db, projectIds);
  await repairPartsStatement(db, projectIds);
}
/** One user per transaction: ending timers takes these locks in no order. */
export async function repairUser(db: Executor, userId: number): Promise<void> {
  await lockUser(db, userId);
  await repairUserStatement(db, userId);
}
