import { type Executor, sql } from '../../db/database.ts';
import type { Actor } from '../auth/identity.ts';
import { elapsedSeconds, sessionJson } from './session-json.ts';
import type { Session, TimerStart } from './session-schemas.ts';

const lockUser = sql(`SELECT u.id FROM users u WHERE u.id = $1 AND u.status = 'active' FOR NO KEY UPDATE`);

// A statement of its own, after the user is locked: it must see what the one before in line has done.
const lockProjects = sql(`
  WITH running AS MATERIALIZED (
    SELECT s.id, s.project_id FROM study_sessions s WHERE s.user_id = $1 AND s.ended_at IS NULL),
  locked AS MATERIALIZED (
    SELECT p.id, p.user_id, p.status, p.deleted_at FROM projects p
    WHERE p.id = ANY (ARRAY(SELECT r.project_id FROM running r UNION ALL SELECT $2::bigint))
    ORDER BY p.id FOR NO KEY UPDATE)
  SELECT p.id, p.deleted_at IS NULL AS present, p.status = 'active' AS active,
    $3::boolean OR p.user_id = $1 OR is_assigned(p.id, $1) AS visible
  FROM locked p`);

const findRunning = sql(`
  SELECT ${elapsedSeconds('$2')} AS seconds, ${sessionJson(elapsedSeconds('$2'))}::json AS session
  FROM study_sessions s JOIN projects p ON p.id = s.project_id
  WHERE s.user_id = $1 AND s.ended_at IS NULL`);

// At least a second, so that it is a record at all; at most what a timer may run.
const ending = (now: string, maxSeconds: string) => `
  ended_at = least(greatest(${now}::timestamptz, s.started_at + interval '1 second'),
    s.started_at + make_interval(secs => ${maxSeconds})),
  auto_stopped = ${now}::timestamptz >= s.started_at + make_interval(secs => ${maxSeconds})`;

const stopOfUser = sql(`
  WITH stopped AS (
    UPDATE study_sessions s SET ${ending('$2', '$3')} WHERE s.user_id = $1 AND s.ended_at IS NULL RETURNING *)
  SELECT ${sessionJson()}::json AS session FROM stopped s JOIN projects p ON p.id = s.project_id`);

const stopOnProject = sql(`
  UPDATE study_sessions s SET ${ending('$2', '$3')} WHERE s.project_id = $1 AND s.ended_at IS NULL`);

// Authors, projects, records: the order in which everybody locks. Doubled, it finds nothing left to end.
const endOverdue = sql(`
  WITH overdue AS MATERIALIZED (
    SELECT s.id, s.project_id, s.user_id FROM study_sessions s
    WHERE s.ended_at IS NULL AND s.started_at <= $1::timestamptz - make_interval(secs => $2)
      AND ($3::bigint IS NULL OR s.user_id = $3)
    LIMIT 1000),
  authors AS MATERIALIZED (
    SELECT u.id FROM users u WHERE u.id IN (SELECT o.user_id FROM overdue o) ORDER BY u.id FOR NO KEY UPDATE),
  projects_in_order AS MATERIALIZED (
    SELECT p.id FROM projects p
    WHERE (SELECT count(*) FROM authors) > 0 AND p.id IN (SELECT o.project_id FROM overdue o)
    ORDER BY p.id FOR NO KEY UPDATE)
  UPDATE study_sessions s SET ended_at = s.started_at + make_interval(secs => $2), auto_stopped = true
  FROM overdue o JOIN projects_in_order p ON p.id = o.project_id
  WHERE s.id = o.id AND s.ended_at IS NULL
  RETURNING s.id`);

// The second that a timer lasts at least may reach beyond now: the next one starts where it ends.
const insertRunning = sql(`
  WITH added AS (
    INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, note, source, time_zone)
    SELECT p.id, p.user_id, $2, greatest($3::timestamptz, (
        SELECT CASE WHEN s.source = 'timer' THEN s.ended_at END FROM study_sessions s
        WHERE s.user_id = $2 ORDER BY s.started_at DESC, s.id DESC LIMIT 1)), $4, 'timer', $5
    FROM projects p WHERE p.id = $1
    ON CONFLICT DO NOTHING RETURNING *)
  SELECT ${sessionJson(elapsedSeconds('$3'))}::json AS session FROM added s JOIN projects p ON p.id = s.project_id`);

type LockedProject = { id: number; present: boolean; active: boolean; visible: boolean };
export type RunningTimer = { seconds: number; session: Session };

/** The running records. What stops or starts one holds the user first, then the projects in id order. */
export function createTimerRepository(db: Executor) {
  return {
    /** False when the account was deactivated or deleted since the request was admitted. */
    async lockUser(userId: number): Promise<boolean> {
      return (await db.rows(lockUser, [userId])).length > 0;
    },
    /** Locks the project of the user's running record and, if given, another, which is described if it is there. */
    async lockProjects(actor: Actor, projectId: number | null): Promise<LockedProject | undefined> {
      const locked = await db.rows<LockedProject>(lockProjects, [actor.id, projectId, actor.role === 'admin']);
      return locked.find((project) => project.id === projectId && project.present);
    },
    async findRunning(userId: number, now: Date): Promise<RunningTimer | undefined> {
      const [row] = await db.rows<RunningTimer>(findRunning, [userId, now]);
      return row;
    },
    /** Ends the user's running record; undefined when none runs. */
    async stop(userId: number, now: Date, maxSeconds: number): Promise<Session | undefined> {
      const [row] = await db.rows<{ session: Session }>(stopOfUser, [userId, now, maxSeconds]);
      return row?.session;
    },
    async stopOnProject(projectId: number, now: Date, maxSeconds: number): Promise<void> {
      await db.rows(stopOnProject, [projectId, now, maxSeconds]);
    },
    /** Ends what has run for longer, of one user or with null of everybody; says how many there were. */
    async endOverdue(userId: number | null, now: Date, maxSeconds: number): Promise<number> {
      return (await db.rows(endOverdue, [now, maxSeconds, userId])).length;
    },
    /** Starts a record that runs; undefined when another record of the user reaches beyond now. */
    async insert(actor: Actor, { project_id, note }: TimerStart, now: Date): Promise<Session | undefined> {
      const [row] = await db.rows<{ session: Session }>(insertRunning, [
        project_id,
        actor.id,
        now,
        note,
        actor.timezone,
      ]);
      return row?.session;
    },
  };
}
