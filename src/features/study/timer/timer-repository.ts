import type { Actor, Reader } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import { empty, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { exists, many, maybeOne } from '../../../db/statements.ts';
import { isAssignedNow, visibleTo } from '../project-access/project-sql.ts';
import { elapsedSeconds, hasMostSessions, selectSession, sessionColumns } from '../study-sessions/session-sql.ts';
import { learnedFrom, tagsAsLearned } from '../tags/tag-sql.ts';
import type { TimerStart, TimerStop } from './timer-schemas.ts';

/** Returns false if the account was deactivated or deleted since the request was authenticated. */
export const lockUser = exists(
  'lock_user_of_timer',
  { id: t.bigint },
  (userId: number) =>
    sql`SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.status = 'active' FOR NO KEY UPDATE`,
);

/** In addition to the project of the running timer: this project, and that of another session of the user. */
export type TimerLocks = { project_id?: number | undefined; session_id?: number | undefined };

// A separate statement after the user is locked, so that it sees what was committed during the wait.
const lockProjectsStatement = many(
  'lock_projects_of_timer',
  { id: t.bigint, deleted: t.boolean, active: t.boolean, visible: t.boolean, full: t.boolean },
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
      ${visibleTo(reader, isAssignedNow)} AS visible, ${hasMostSessions(sql`${t.bigint(reader.id)}`)} AS full
    FROM locked p`,
);

export const findRunning = maybeOne('find_running_timer', sessionColumns, (userId: number, now: Date) => {
  const seconds = elapsedSeconds(t.timestamptz(now));
  return sql`
    SELECT ${selectSession({ seconds })} FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.user_id = ${t.bigint(userId)} AND s.ended_at IS NULL`;
});

const endedColumns = { ...sessionColumns, owner_id: t.bigint, former_end: t.timestamptz.orNull };
/** A timer that has ended, as a record; `former_end` is the automatic end that an earlier one replaced. */
export type EndedTimer = RowOf<typeof endedColumns>;

/** How a timer ends. `automatic`: by the service, not by its user. */
export type Ending = { at: Date; maxSeconds: number; automatic: boolean };

/**
 * SQL: ends the sessions `s` in `which`, after at least a second and at most the maximum running time. The only
 * statement that ends timers.
 */
function ending(which: Sql, { at, maxSeconds, automatic }: Ending): Sql {
  const maximum = sql`s.started_at + make_interval(secs => ${t.integer(maxSeconds)})`;
  const end = t.timestamptz(at);
  return sql`
    ended AS (
      UPDATE study_sessions s SET
        ended_at = least(greatest(${end}, s.started_at + interval '1 second'), ${maximum}),
        auto_stopped = ${automatic ? sql`true` : sql`${end} >= ${maximum}`}
      ${which} RETURNING s.*)
    SELECT ${selectSession()}, s.owner_id, (SELECT o.ended_at FROM study_sessions o WHERE o.id = s.id) AS former_end
    FROM ended s JOIN projects p ON p.id = s.project_id ORDER BY s.user_id`;
}

// An offline client may have stopped the timer before the service ended it: its earlier end replaces that one.
const stopTimer = maybeOne(
  'stop_timer',
  endedColumns,
  (userId: number, { session_id, ended_at }: TimerStop, { now, maxSeconds }: { now: Date; maxSeconds: number }) => {
    const user = t.bigint(userId);
    const end = t.timestamptz(ended_at ?? null);
    const which = sql`
      WHERE s.id = coalesce(${t.bigint(session_id ?? null)},
          (SELECT r.id FROM study_sessions r WHERE r.user_id = ${user} AND r.ended_at IS NULL))
        AND s.user_id = ${user} AND (${end} IS NULL OR ${end} >= s.started_at)
        AND (s.ended_at IS NULL OR (s.auto_stopped AND s.ended_at > ${end}))`;
    return sql`WITH ${ending(which, { at: ended_at ?? now, maxSeconds, automatic: false })}`;
  },
);

/** Timers that end because of something else than a request of their user. */
export type TimersToEnd =
  | { user_id: number }
  | { project_id: number }
  | { pairs: readonly { project_id: number; user_id: number }[] };

function runningTimers(timers: TimersToEnd): Sql {
  if ('user_id' in timers) return sql`s.user_id = ${t.bigint(timers.user_id)}`;
  if ('project_id' in timers) return sql`s.project_id = ${t.bigint(timers.project_id)}`;
  const [projects, users] = [timers.pairs.map((pair) => pair.project_id), timers.pairs.map((pair) => pair.user_id)];
  return sql`(s.project_id, s.user_id) IN (SELECT * FROM unnest(${t.bigints(projects)}, ${t.bigints(users)}))`;
}

/** Ends timers whose projects are locked. */
export const end = many(
  'end_timers',
  endedColumns,
  (timers: TimersToEnd, how: Ending) =>
    sql`WITH ${ending(sql`WHERE ${runningTimers(timers)} AND s.ended_at IS NULL`, how)}`,
);

/** The number of timers that one transaction ends: it limits how long their users and projects are locked. */
const overdueBatch = 100;

/** Whose overdue timers to end. Without `wait`, users and projects that are locked are left to the next run. */
export type OverdueOf = { users: readonly number[] | 'all'; wait: boolean };

// Lock order: authors, projects, sessions. A timer whose start or project changed during the wait for locks is left to
// the next run.
export const endOverdue = many(
  'end_overdue_timers',
  endedColumns,
  ({ users, wait }: OverdueOf, at: Date, maxSeconds: number) => {
    const isWanted = users === 'all' ? empty : sql`AND s.user_id = ANY(${t.bigints(users)})`;
    const latestStart = sql`${t.timestamptz(at)} - make_interval(secs => ${t.integer(maxSeconds)})`;
    const locking = wait ? sql`FOR NO KEY UPDATE` : sql`FOR NO KEY UPDATE SKIP LOCKED`;
    const which = sql`
    FROM overdue o JOIN authors a ON a.id = o.user_id JOIN projects_in_order p ON p.id = o.project_id
    WHERE s.id = o.id AND s.project_id = o.project_id AND s.ended_at IS NULL AND s.started_at <= ${latestStart}`;
    return sql`
    WITH overdue AS MATERIALIZED (
      SELECT s.id, s.project_id, s.user_id FROM study_sessions s
      WHERE s.ended_at IS NULL AND s.started_at <= ${latestStart} ${isWanted}),
    authors AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id IN (SELECT o.user_id FROM overdue o)
      ORDER BY u.id LIMIT ${t.integer(overdueBatch)} ${locking}),
    projects_in_order AS MATERIALIZED (
      SELECT p.id FROM projects p
      WHERE (SELECT count(*) FROM authors) > 0
        AND p.id IN (SELECT o.project_id FROM overdue o JOIN authors a ON a.id = o.user_id)
      ORDER BY p.id ${locking}),
    ${ending(which, { at, maxSeconds, automatic: true })}`;
  },
);

// A timer lasts at least a second, so it may end after now or the given time: the next one starts where it ends.
export const insert = maybeOne(
  'start_timer',
  { ...sessionColumns, owner_id: t.bigint },
  (actor: Actor, { project_id, note, tags, started_at, planned_minutes }: TimerStart, now: Date) => {
    const user = t.bigint(actor.id);
    const at = t.timestamptz(started_at ?? now);
    const isNow = t.boolean(started_at === undefined);
    return sql`
      WITH ${learnedFrom(sql`SELECT ${user}, unnest(${t.texts(tags)})`)},
      added AS (
        INSERT INTO study_sessions
          (project_id, owner_id, user_id, started_at, note, tags, planned_minutes, source, time_zone)
        SELECT p.id, p.user_id, ${user}, greatest(${at}, (
            SELECT CASE WHEN s.source = 'timer' AND (${isNow} OR s.ended_at <= ${at} + interval '1 second')
              THEN s.ended_at END
            FROM study_sessions s WHERE s.user_id = ${user} ORDER BY s.started_at DESC, s.id DESC LIMIT 1)),
          ${t.text(note)}, ${tagsAsLearned(user, t.texts(tags))}, ${t.integer(planned_minutes)}, 'timer', ${t.text(actor.timezone)}
        FROM projects p WHERE p.id = ${t.bigint(project_id)}
        ON CONFLICT DO NOTHING RETURNING *)
      SELECT ${selectSession({ seconds: elapsedSeconds(t.timestamptz(now)) })}, s.owner_id FROM added s JOIN projects p ON p.id = s.project_id`;
  },
);
export async function lockProjects(db: Executor, reader: Reader, named: TimerLocks) {
  const locked = await lockProjectsStatement(db, reader, named);
  return locked.find((project) => project.id === named.project_id && !project.deleted);
}
/** Ends the user's timer as they asked; undefined if there is nothing to end. */
export const stop = (db: Executor, userId: number, stop: TimerStop, now: Date, maxSeconds: number) =>
  stopTimer(db, userId, stop, { now, maxSeconds });
