import { byPosition, type Executor } from '../../db/executor.ts';
import { constant, leftJoined, matched, type Parameter, type RowOf, type Sql, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import type { Reader } from '../projects/project-access.ts';
import { isAssignedNow, visibleTo } from '../projects/project-sql.ts';
import { type NewSession, sessionSources } from './session-schemas.ts';

export const sessionColumns = {
  id: t.bigint,
  project_id: t.bigint,
  project_name: t.text,
  user_id: t.bigint,
  username: t.text,
  started_at: t.timestamptz,
  ended_at: t.timestamptz.orNull,
  duration_seconds: t.integer,
  note: t.text,
  source: t.oneOf(sessionSources),
  time_zone: t.text,
  auto_stopped: t.boolean,
  planned_minutes: t.integer.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
export type SessionRow = RowOf<typeof sessionColumns>;
export const recordedColumns = { ...sessionColumns, owner_id: t.bigint };
export type FoundSession = RowOf<typeof recordedColumns>;

export function selectSession({ seconds = sql`s.duration_seconds`, projectName = sql`p.name` } = {}): Sql {
  return sql`s.id, s.project_id, ${projectName} AS project_name, s.user_id,
    (SELECT u.username FROM users u WHERE u.id = s.user_id) AS username, s.started_at, s.ended_at,
    ${seconds} AS duration_seconds, s.note, s.source, s.time_zone, s.auto_stopped, s.planned_minutes,
    s.created_at, s.updated_at, s.row_version`;
}

/** SQL: whole seconds of a session `s`; of a running one, up to `now`. */
export const elapsedSeconds = (now: Parameter): Sql => sql`
  CASE WHEN s.ended_at IS NULL THEN greatest(0, floor(extract(epoch FROM ${now} - s.started_at)))::integer
    ELSE s.duration_seconds END`;

/** The `reader` of `shownProjectName`; null for administrators, who see current names. */
export function readerOf({ id, role }: Reader): Parameter {
  return t.bigint(role === 'admin' ? null : id);
}

/** SQL: the name of a project `p` for a reader; for a former member, the name when they left. */
export const shownProjectName = (reader: Parameter): Sql => sql`
  coalesce((SELECT e.project_name FROM project_membership_ends e
    WHERE e.user_id = ${reader} AND e.project_id = p.id), p.name)`;

/** Of a user: what one person can store is bounded. Concurrent requests may exceed it by their number. */
export const maxSessions = 500_000;

/** SQL: whether a user has the maximum of finished sessions. */
export const hasMostSessions = (user: Sql): Sql => sql`
  coalesce((SELECT k.sessions_count >= ${t.integer(maxSessions)} FROM user_study_totals k WHERE k.user_id = ${user}), false)`;

/** The author's rights are verified. */
export type NewRecord = { author: Reader; time_zone: string; project_id: number; session: NewSession };
const author = { id: sql`r.user_id`, isAdmin: sql`r.role = 'admin'` };
const verdict = sql`${constant(visibleTo(author, isAssignedNow))} AS visible,
          CASE WHEN p.status = 'active' THEN true ELSE project_was_active(p.id, r.started_at) END AS active,
          ${hasMostSessions(sql`r.user_id`)} AS full`;
const recorded = constant(selectSession());

// Lock order: authors, sorted by the caller, before projects in id order. Waiting for the projects lets the statement see their latest
// state. Of two sessions that overlap, also within the statement, the constraint lets the first pass.
const recordSessions = query(
  'record_sessions',
  { position: t.bigint, visible: t.boolean, active: t.boolean, full: t.boolean, ...leftJoined(recordedColumns) },
  (records: readonly NewRecord[]) => {
    const times = (of: (session: NewSession) => Date) =>
      t.timestamptzs(records.map(({ session }) => of(session).toISOString()));
    return sql`
      WITH requested AS MATERIALIZED (
        SELECT r.*, nextval('study_sessions_id_seq') AS session_id
        FROM unnest((SELECT ${t.bigints(records.map(({ author }) => author.id))}),
          (SELECT ${t.texts(records.map(({ author }) => author.role))}),
          (SELECT ${t.bigints(records.map(({ project_id }) => project_id))}),
          (SELECT ${times((session) => session.started_at)}), (SELECT ${times((session) => session.ended_at)}),
          (SELECT ${t.texts(records.map(({ session }) => session.note))}),
          (SELECT ${t.texts(records.map(({ time_zone }) => time_zone))}))
          WITH ORDINALITY AS r (user_id, role, project_id, started_at, ended_at, note, time_zone, position)),
      authors AS MATERIALIZED (
        SELECT u.id FROM users u WHERE u.id IN (SELECT r.user_id FROM requested r) ORDER BY u.id FOR KEY SHARE),
      projects AS MATERIALIZED (
        SELECT p.id, p.name, p.user_id, p.status FROM projects p
        WHERE p.id IN (SELECT r.project_id FROM requested r) AND p.deleted_at IS NULL AND (SELECT count(*) FROM authors) > 0
        ORDER BY p.id FOR NO KEY UPDATE),
      verdict AS MATERIALIZED (
        SELECT r.*, p.id, p.name, p.user_id AS owner_id, ${verdict}
        FROM requested r JOIN projects p ON p.id = r.project_id),
      added AS (
        INSERT INTO study_sessions
          (id, project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
        OVERRIDING SYSTEM VALUE
        SELECT v.session_id, v.project_id, v.owner_id, v.user_id, v.started_at, v.ended_at, v.note, 'manual', v.time_zone
        FROM verdict v WHERE v.visible AND v.active AND NOT v.full ORDER BY v.position
        ON CONFLICT DO NOTHING RETURNING *)
      SELECT p.position, p.visible, p.active, p.full, ${recorded}, s.owner_id
      FROM verdict p LEFT JOIN added s ON s.id = p.session_id`;
  },
);

/** Inserts those that may be recorded and overlap nothing; undefined if there is no such project. */
export async function insertSessions(db: Executor, records: readonly NewRecord[]) {
  const rows = byPosition(records, await db.many(recordSessions(records)));
  return rows.map(
    (row) =>
      row && { visible: row.visible, active: row.active, full: row.full, session: matched(recordedColumns, row) },
  );
}
