import type { Reader } from '../../../actor.ts';
import { actingRoles } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { changes, execute, maybeOne } from '../../../db/statements.ts';
import { actingRole } from '../../../transactions/scope-sql.ts';
import { visibleTo } from '../project-access/project-sql.ts';
import { learnedFrom, tagsAsLearned } from '../tags/tag-sql.ts';
import {
  elapsedSeconds,
  formerColumns,
  readerOf,
  recordedColumns,
  selectSession,
  shownProjectName,
} from './session-sql.ts';

/** The time of a session; `ended_at` is null while the timer runs. */
export type Span = { started_at: Date; ended_at: Date | null };

export type SessionState = Span & {
  project_id: number;
  note: string;
  tags: readonly string[];
  planned_minutes: number | null;
};

const overlaps = ({ started_at, ended_at }: Span) =>
  sql`tstzrange(o.started_at, o.ended_at, '[)') && tstzrange(${t.timestamptz(started_at)}, ${t.timestamptz(ended_at)}, '[)')`;

export const find = maybeOne('find_session', recordedColumns, (actor: Reader, id: number, now: Date) => {
  const shown = { seconds: elapsedSeconds(t.timestamptz(now)), projectName: shownProjectName(readerOf(actor)) };
  return sql`
    SELECT ${selectSession(shown)}, s.owner_id
    FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.id = ${t.bigint(id)}`;
});

const lockAuthor = maybeOne('lock_session_author', { id: t.bigint, role: t.oneOf(actingRoles) }, (id: number) => {
  const author = sql`(SELECT s.user_id FROM study_sessions s WHERE s.id = ${t.bigint(id)})`;
  return sql`SELECT u.id, ${actingRole} AS role FROM users u WHERE u.id = ${author} FOR NO KEY UPDATE`;
});

const lockedColumns = {
  ...formerColumns,
  note: t.text,
  tags: t.texts,
  planned_minutes: t.integer.orNull,
  row_version: t.bigint,
};
export type LockedSession = RowOf<typeof lockedColumns>;

// Lock order: author, projects, session. The author of a session never changes, and while the author is locked its
// project does not either, so this is a separate statement.
const lockSession = maybeOne('lock_session', lockedColumns, (sessionId: number, targetId: number | undefined) => {
  const id = t.bigint(sessionId);
  return sql`
    WITH found AS MATERIALIZED (SELECT s.id, s.project_id FROM study_sessions s WHERE s.id = ${id}),
    locked AS MATERIALIZED (
      SELECT p.id FROM projects p
      WHERE p.id = ANY (ARRAY(SELECT f.project_id FROM found f UNION ALL SELECT ${t.bigint(targetId ?? null)}))
      ORDER BY p.id FOR NO KEY UPDATE)
    SELECT s.id, s.project_id, s.user_id, s.owner_id, s.started_at, s.ended_at, s.note, s.tags, s.planned_minutes,
      s.row_version
    FROM locked p JOIN study_sessions s ON s.project_id = p.id
    WHERE s.id = ${id} FOR UPDATE OF s`;
});

// A running timer can only be moved to a project that is active now.
/** The locked project to which a session of the author would move; undefined if there is none. */
export const findTarget = maybeOne(
  'find_project_for_session',
  { visible: t.boolean, active: t.boolean },
  (author: Reader, projectId: number, { started_at, ended_at }: Span) => sql`
    SELECT ${visibleTo(author)} AS visible,
      p.status = 'active' OR (${t.boolean(ended_at !== null)} AND project_was_active(p.id, ${t.timestamptz(started_at)}))
        AS active
    FROM projects p WHERE p.id = ${t.bigint(projectId)} AND p.deleted_at IS NULL`,
);

// Prevents concurrent changes by one author from waiting for each other in the constraint, which still decides.
/** Returns false if the session would overlap another one of its author. */
export const update = changes(
  'update_session',
  (id: number, { project_id, note, tags, planned_minutes, ...span }: SessionState) => sql`
    WITH ${learnedFrom(sql`SELECT s.user_id, unnest(${t.texts(tags)}) FROM study_sessions s WHERE s.id = ${t.bigint(id)}`)}
    UPDATE study_sessions s
    SET project_id = ${t.bigint(project_id)}, started_at = ${t.timestamptz(span.started_at)},
      ended_at = ${t.timestamptz(span.ended_at)}, note = ${t.text(note)},
      tags = ${tagsAsLearned(sql`s.user_id`, t.texts(tags))},
      planned_minutes = ${t.integer(planned_minutes)}, import_id = NULL
    WHERE s.id = ${t.bigint(id)} AND NOT EXISTS (
      SELECT FROM study_sessions o WHERE o.user_id = s.user_id AND o.id <> s.id AND ${overlaps(span)})`,
);

// A separate statement after locking, so that it sees what was committed during the wait.
const findLatestEndStatement = maybeOne(
  'find_latest_session_end',
  { latest: t.timestamptz },
  (id: number) => sql`
    SELECT greatest(s.ended_at, e.ended_at) AS latest
    FROM study_sessions s
    LEFT JOIN project_membership_ends e ON e.user_id = s.user_id AND e.project_id = s.project_id
    WHERE s.id = ${t.bigint(id)} AND s.user_id <> s.owner_id AND NOT EXISTS (
      SELECT FROM project_assignments a WHERE a.project_id = s.project_id AND a.user_id = s.user_id)`,
);

export const remove = execute(
  'delete_session',
  (id: number) => sql`DELETE FROM study_sessions WHERE id = ${t.bigint(id)}`,
);

const overlappingColumns = {
  id: t.bigint,
  project_id: t.bigint,
  project_name: t.text,
  started_at: t.timestamptz,
  ended_at: t.timestamptz.orNull,
};
export type OverlappingSession = RowOf<typeof overlappingColumns>;

/** The first session of a user that overlaps the span, other than `except`. */
export const findOverlap = maybeOne(
  'find_overlapping_session',
  overlappingColumns,
  (userId: number, span: Span, except?: number) => {
    const user = t.bigint(userId);
    return sql`
    SELECT o.id, o.project_id, ${shownProjectName(user)} AS project_name, o.started_at, o.ended_at
    FROM study_sessions o JOIN projects p ON p.id = o.project_id
    WHERE o.user_id = ${user} AND o.id IS DISTINCT FROM ${t.bigint(except ?? null)} AND ${overlaps(span)}
    ORDER BY o.started_at LIMIT 1`;
  },
);

/** Locks the session, its author, its project and the target project. */
export async function lock(db: Executor, id: number, targetId?: number) {
  const author = await lockAuthor(db, id);
  const session = author && (await lockSession(db, id, targetId));
  return session && { author, session };
}
/** The latest allowed end for an author who can no longer see the project; otherwise undefined. */
export async function findLatestEnd(db: Executor, id: number): Promise<Date | undefined> {
  const row = await findLatestEndStatement(db, id);
  return row && new Date(row.latest);
}
