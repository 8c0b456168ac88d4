import type { Executor } from '../../db/executor.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { type Parameter, t } from '../../db/sql/types.ts';
import type { Actor } from '../auth/identity.ts';
import type { Reader } from '../projects/project-policy.ts';
import { isAssignedNow, visibleTo } from '../projects/project-visibility.ts';
import { elapsedSeconds, selectSession, sessionColumns } from '../study-sessions/session-sql.ts';
import type { TimerStart, TimerStop } from './timer-schemas.ts';

const lockUser = query(
  'lock_user_of_timer',
  { id: t.bigint },
  (userId: number) =>
    sql`SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.status = 'active' FOR NO KEY UPDATE`,
);

/** In addition to the project of the running timer: this project, and that of another session of the user. */
export type TimerLocks = { project_id?: number | undefined; session_id?: number | undefined };

// A separate statement after the user is locked, so that it sees what was committed during the wait.
const lockProjects = query(
  'lock_projects_of_timer',
  { id: t.bigint, deleted: t.boolean, active: t.boolean, visible: t.boolean },
  (reader: Reader, { project_id, session_id }: TimerLocks) => sql`
    WITH running AS MATERIALIZED (
      SELECT s.project_id FROM study_sessions s WHERE s.user_id = ${t.bigint(reader.id)} AND s.ended_at IS NULL
      UNION ALL
      SELECT s.project_id FROM study_sessions s
      WHERE s.id = ${t.bigint(session_id ?? null)} AND s.user_id = ${t.bigint(reader.id)}),
    locked AS MATERIALIZED (
      SELECT p.id, p.user_id, p.status, p.deleted_at FROM projects p
      WHERE p.id = ANY (ARRAY(SELECT r.project_id FROM running r UNION ALL SELECT ${t.bigint(project_id ?? null)}))
      ORDER BY p.id FOR NO KEY UPDATE)
    SELECT p.id, p.deleted_at IS NOT NULL AS deleted, p.status = 'active' AS active,
      ${visibleTo(reader, isAssignedNow)} AS visible
    FROM locked p`,
);

const findRunning = query('find_running_timer', sessionColumns, (userId: number, now: Date) => {
  const seconds = elapsedSeconds(t.timestamptz(now));
  return sql`
    SELECT ${selectSession({ seconds })} FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.user_id = ${t.bigint(userId)} AND s.ended_at IS NULL`;
});

/** SQL: ends a timer at the given time, after at least a second and at most the maximum running time. */
function ending(at: Parameter, maxSeconds: number) {
  const maximum = sql`s.started_at + make_interval(secs => ${t.integer(maxSeconds)})`;
  return sql`
    ended_at = least(greatest(${at}, s.started_at + interval '1 second'), ${maximum}),
    auto_stopped = ${at} >= ${maximum}`;
}

// An offline client may have stopped the timer before it was ended as overdue: its earlier end replaces that one.
const stopOfUser = query(
  'stop_timer',
  sessionColumns,
  (userId: number, { session_id, ended_at }: TimerStop, now: Date, maxSeconds: number) => {
    const user = t.bigint(userId);
    const end = t.timestamptz(ended_at ?? null);
    return sql`
    WITH stopped AS (
      UPDATE study_sessions s SET ${ending(t.timestamptz(ended_at ?? now), maxSeconds)}
      WHERE s.id = coalesce(${t.bigint(session_id ?? null)},
          (SELECT r.id FROM study_sessions r WHERE r.user_id = ${user} AND r.ended_at IS NULL))
        AND s.user_id = ${user} AND (${end} IS NULL OR ${end} >= s.started_at)
        AND (s.ended_at IS NULL OR (s.auto_stopped AND s.ended_at > ${end})) RETURNING *)
    SELECT ${selectSession()} FROM stopped s JOIN projects p ON p.id = s.project_id`;
  },
);

const stopOnProject = command(
  'stop_timers_on_project',
  (projectId: number, now: Date, maxSeconds: number) => sql`
    UPDATE study_sessions s SET ${ending(t.timestamptz(now), maxSeconds)}
    WHERE s.project_id = ${t.bigint(projectId)} AND s.ended_at IS NULL`,
);

// Lock order: authors, projects, sessions. A second run finds nothing left to end. A timer whose start or project
// changed during the wait for locks is left to the next run.
const endOverdue = command('end_overdue_timers', (userId: number | null, now: Date, maxSeconds: number) => {
  const user = t.bigint(userId);
  const maximum = sql`make_interval(secs => ${t.integer(maxSeconds)})`;
  return sql`
    WITH overdue AS MATERIALIZED (
      SELECT s.id, s.project_id, s.user_id FROM study_sessions s
      WHERE s.ended_at IS NULL AND s.started_at <= ${t.timestamptz(now)} - ${maximum}
        AND (${user} IS NULL OR s.user_id = ${user})
      LIMIT 1000),
    authors AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id IN (SELECT o.user_id FROM overdue o) ORDER BY u.id FOR NO KEY UPDATE),
    projects_in_order AS MATERIALIZED (
      SELECT p.id FROM projects p
      WHERE (SELECT count(*) FROM authors) > 0 AND p.id IN (SELECT o.project_id FROM overdue o)
      ORDER BY p.id FOR NO KEY UPDATE)
    UPDATE study_sessions s SET ended_at = s.started_at + ${maximum}, auto_stopped = true
    FROM overdue o JOIN projects_in_order p ON p.id = o.project_id
    WHERE s.id = o.id AND s.project_id = o.project_id AND s.ended_at IS NULL
      AND s.started_at <= ${t.timestamptz(now)} - ${maximum}`;
});

// A timer lasts at least a second, so it may end after now or the given time: the next one starts where it ends.
const insertRunning = query(
  'start_timer',
  sessionColumns,
  (actor: Actor, { project_id, note, started_at }: TimerStart, now: Date) => {
    const user = t.bigint(actor.id);
    const at = t.timestamptz(started_at ?? now);
    const isNow = t.boolean(started_at === undefined);
    return sql`
      WITH added AS (
        INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, note, source, time_zone)
        SELECT p.id, p.user_id, ${user}, greatest(${at}, (
            SELECT CASE WHEN s.source = 'timer' AND (${isNow} OR s.ended_at <= ${at} + interval '1 second')
              THEN s.ended_at END
            FROM study_sessions s WHERE s.user_id = ${user} ORDER BY s.started_at DESC, s.id DESC LIMIT 1)),
          ${t.text(note)}, 'timer', ${t.text(actor.timezone)}
        FROM projects p WHERE p.id = ${t.bigint(project_id)}
        ON CONFLICT DO NOTHING RETURNING *)
      SELECT ${selectSession({ seconds: elapsedSeconds(t.timestamptz(now)) })} FROM added s JOIN projects p ON p.id = s.project_id`;
  },
);

export function createTimerRepository(db: Executor) {
  return {
    /** Returns false if the account was deactivated or deleted since the request was authenticated. */
    lockUser: async (userId: number) => (await db.maybeOne(lockUser(userId))) !== undefined,
    async lockProjects(reader: Reader, named: TimerLocks) {
      const locked = await db.many(lockProjects(reader, named));
      return locked.find((project) => project.id === named.project_id && !project.deleted);
    },
    findRunning: (userId: number, now: Date) => db.maybeOne(findRunning(userId, now)),
    stop: (userId: number, stop: TimerStop, now: Date, maxSeconds: number) =>
      db.maybeOne(stopOfUser(userId, stop, now, maxSeconds)),
    stopOnProject: (projectId: number, now: Date, maxSeconds: number) =>
      db.execute(stopOnProject(projectId, now, maxSeconds)),
    /** Ends overdue timers of one user, or of all users if null; returns their number. */
    endOverdue: (userId: number | null, now: Date, maxSeconds: number) =>
      db.execute(endOverdue(userId, now, maxSeconds)),
    insert: (actor: Actor, start: TimerStart, now: Date) => db.maybeOne(insertRunning(actor, start, now)),
  };
}
