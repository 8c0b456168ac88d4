import { type Executor, sql } from '../../db/database.ts';
import type { Actor } from '../auth/identity.ts';
import { elapsedSeconds, readerOf, sessionJson, shownProjectName } from './session-json.ts';
import type { SessionFacts } from './session-policy.ts';
import type { NewSession } from './session-schemas.ts';

// One statement, one round trip; the project's figures follow by trigger. The author is locked before the project, as
// everywhere; waiting for the project lets the statement see its latest state. A record that overlaps is not inserted.
const insertSession = sql(`
  WITH verified AS MATERIALIZED (SELECT verify_actor($2, $8, $9, '{}', NULL)),
  author AS MATERIALIZED (SELECT u.id FROM verified, users u WHERE u.id = $2 FOR KEY SHARE OF u),
  project AS MATERIALIZED (
    SELECT p.id, p.name, p.user_id, p.status FROM author, projects p
    WHERE p.id = $1 AND p.deleted_at IS NULL FOR NO KEY UPDATE OF p),
  verdict AS MATERIALIZED (
    SELECT p.*,
      $3::boolean OR p.user_id = $2 OR is_assigned(p.id, $2) AS visible,
      CASE WHEN p.status = 'active' THEN true ELSE project_was_active(p.id, $4::timestamptz) END AS active
    FROM project p),
  added AS (
    INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
    SELECT v.id, v.user_id, $2, $4, $5, $6, 'manual', $7 FROM verdict v WHERE v.visible AND v.active
    ON CONFLICT DO NOTHING RETURNING *)
  SELECT p.visible, p.active, s.id, s.row_version, CASE WHEN s.id IS NOT NULL THEN ${sessionJson()} END AS json
  FROM verdict p LEFT JOIN added s ON true`);

const readSession = sql(`
  SELECT s.user_id, s.owner_id, s.row_version,
    coalesce((SELECT floor(extract(epoch FROM e.ended_at) * 1000)::bigint FROM project_membership_ends e
      WHERE e.user_id = $3 AND e.project_id = p.id), p.row_version) AS project_version,
    s.ended_at IS NULL AS running, ${elapsedSeconds('$2')} AS seconds,
    ${sessionJson(elapsedSeconds('$2'), shownProjectName('$3'))} AS json
  FROM study_sessions s JOIN projects p ON p.id = s.project_id
  WHERE s.id = $1`);

// Author, project, record: the order in which everybody locks. Neither author nor project of a record ever changes.
const lockSession = sql(`
  WITH found AS MATERIALIZED (SELECT s.project_id, s.user_id FROM study_sessions s WHERE s.id = $1),
  author AS MATERIALIZED (SELECT u.id FROM found f JOIN users u ON u.id = f.user_id FOR NO KEY UPDATE OF u),
  project AS MATERIALIZED (
    SELECT p.id FROM author, found f JOIN projects p ON p.id = f.project_id FOR NO KEY UPDATE OF p)
  SELECT s.id, s.user_id, s.owner_id, s.project_id, s.started_at, s.ended_at, s.note, s.row_version
  FROM project p JOIN study_sessions s ON s.project_id = p.id
  WHERE s.id = $1 FOR UPDATE OF s`);

// Asking first keeps two changes of one author from waiting for each other inside the constraint, which stays the judge.
const updateSession = sql(`
  UPDATE study_sessions s SET started_at = $2, ended_at = $3, note = $4
  WHERE s.id = $1 AND NOT EXISTS (
    SELECT FROM study_sessions o WHERE o.user_id = s.user_id AND o.id <> s.id
      AND tstzrange(o.started_at, o.ended_at, '[)') && tstzrange($2::timestamptz, $3::timestamptz, '[)'))
  RETURNING 1 AS changed`);

// A statement after the locks are held: it must see what was committed while they were waited for.
const findLatestEnd = sql(`
  SELECT greatest(s.ended_at, e.ended_at) AS latest
  FROM study_sessions s
  LEFT JOIN project_membership_ends e ON e.user_id = s.user_id AND e.project_id = s.project_id
  WHERE s.id = $1 AND s.user_id <> s.owner_id AND NOT EXISTS (
    SELECT FROM project_assignments a WHERE a.project_id = s.project_id AND a.user_id = s.user_id)`);

const deleteSession = sql('DELETE FROM study_sessions WHERE id = $1');

const findOverlap = sql(`
  SELECT o.id, o.project_id, ${shownProjectName('$1')} AS project_name, o.started_at, o.ended_at
  FROM study_sessions o JOIN projects p ON p.id = o.project_id
  WHERE o.user_id = $1 AND o.id IS DISTINCT FROM $4::bigint
    AND tstzrange(o.started_at, o.ended_at, '[)') && tstzrange($2::timestamptz, $3::timestamptz, '[)')
  ORDER BY o.started_at LIMIT 1`);

/** What became of a new record; undefined stands for no such project. */
export type InsertVerdict = {
  visible: boolean;
  active: boolean;
  id: number | null;
  row_version: number | null;
  json: string | null;
};

export type SessionReading = SessionFacts & {
  row_version: number;
  project_version: number;
  running: boolean;
  seconds: number;
  json: string;
};

export type SessionRow = SessionFacts & {
  id: number;
  project_id: number;
  started_at: string;
  ended_at: string | null;
  note: string;
  row_version: number;
};

export type OtherSession = {
  id: number;
  project_id: number;
  project_name: string;
  started_at: string;
  ended_at: string | null;
};

export function createSessionRepository(db: Executor) {
  return {
    /** Inserts if the project is there, visible and active and nothing overlaps; the verdict says which it was. */
    async insert(actor: Actor, projectId: number, session: NewSession): Promise<InsertVerdict | undefined> {
      const { started_at, ended_at, note } = session;
      const isAdmin = actor.role === 'admin';
      const values = [
        projectId,
        actor.id,
        isAdmin,
        started_at,
        ended_at,
        note,
        actor.timezone,
        actor.sign_in_id,
        actor.role,
      ];
      const [verdict] = await db.rows<InsertVerdict>(insertSession, values);
      return verdict;
    },
    async find(actor: Actor, id: number, now: Date): Promise<SessionReading | undefined> {
      const [row] = await db.rows<SessionReading>(readSession, [id, now, readerOf(actor)]);
      return row;
    },
    /** The record, locked together with its author and project until the transaction ends. */
    async lock(id: number): Promise<SessionRow | undefined> {
      const [row] = await db.rows<SessionRow>(lockSession, [id]);
      return row;
    },
    /** False when another record of the same user is in the way. */
    async update(id: number, times: { started_at: Date; ended_at: Date | null }, note: string): Promise<boolean> {
      const changed = await db.rows(updateSession, [id, times.started_at, times.ended_at, note]);
      return changed.length > 0;
    },
    /** For an author who does not see the project any more: how late the record may end. Otherwise undefined. */
    async findLatestEnd(id: number): Promise<Date | undefined> {
      const [row] = await db.rows<{ latest: string }>(findLatestEnd, [id]);
      return row === undefined ? undefined : new Date(row.latest);
    },
    async delete(id: number): Promise<void> {
      await db.rows(deleteSession, [id]);
    },
    /** The first record of a user that shares time with the given stretch; open at its end when that is null. */
    async findOverlap(
      userId: number,
      { started_at, ended_at }: { started_at: Date; ended_at: Date | null },
      except: number | null = null,
    ): Promise<OtherSession | undefined> {
      const [row] = await db.rows<OtherSession>(findOverlap, [userId, started_at, ended_at, except]);
      return row;
    },
  };
}
