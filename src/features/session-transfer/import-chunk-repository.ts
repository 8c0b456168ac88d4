import { sql, type Transaction } from '../../db/database.ts';
import type { MessageKey } from '../../messages/index.ts';
import type { Actor } from '../auth/identity.ts';
import { rowProblem } from './import-row-problem.ts';

// Ends with the transaction.
const setLockTimeout = sql(`SELECT set_config('lock_timeout', $1, true)`);

const nextRows = sql(`
  SELECT max(c.row) AS last_row, count(*) AS number, array_agg(DISTINCT c.target_id) AS project_ids
  FROM (
    SELECT r.row, r.target_id FROM session_import_rows r
    WHERE r.import_id = $1 AND r.row > $2 AND r.problem IS NULL ORDER BY r.row LIMIT $3) AS c`);

const lockUser = sql('SELECT u.id FROM users u WHERE u.id = $1 FOR NO KEY UPDATE');
const lockProjects = sql('SELECT p.id FROM projects p WHERE p.id = ANY($1::bigint[]) ORDER BY p.id FOR NO KEY UPDATE');

// Judged again under the locks, and nothing of the chunk is inserted when a row of it cannot be. A record that another
// transaction is just inserting in the way of one is left to the constraint.
const write = sql(`
  WITH judged AS MATERIALIZED (
    SELECT r.*, CASE
      WHEN NOT ($3::boolean OR p.user_id = $2 OR EXISTS (
        SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = $2)) THEN 'import_project_unknown'
      ELSE ${rowProblem('$2', '$4')} END AS found
    FROM session_import_rows r JOIN projects p ON p.id = r.target_id
    WHERE r.import_id = $1 AND r.row > $5 AND r.row <= $6 AND r.problem IS NULL),
  added AS (
    INSERT INTO study_sessions
      (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone, auto_stopped)
    SELECT j.target_id, j.owner_id, $2, j.started_at, j.ended_at, j.note, j.source, j.time_zone, j.auto_stopped
    FROM judged j
    WHERE j.found IS NULL AND NOT EXISTS (SELECT FROM judged o WHERE o.found <> 'import_duplicate')
    ON CONFLICT DO NOTHING RETURNING id, started_at),
  noted AS (
    UPDATE session_import_rows r SET session_id = a.id
    FROM judged j JOIN added a ON a.started_at = j.started_at
    WHERE r.import_id = $1 AND r.row = j.row AND j.found IS NULL)
  SELECT j.row, j.found AS problem, a.id IS NOT NULL AS added
  FROM judged j LEFT JOIN added a ON a.started_at = j.started_at AND j.found IS NULL
  ORDER BY j.row`);

const writtenRows = sql(`
  SELECT array_agg(c.row) AS rows, array_agg(c.session_id) AS session_ids, array_agg(DISTINCT c.project_id) AS project_ids
  FROM (
    SELECT r.row, r.session_id, coalesce(s.project_id, r.target_id) AS project_id
    FROM session_import_rows r LEFT JOIN study_sessions s ON s.id = r.session_id
    WHERE r.import_id = $1 AND r.session_id IS NOT NULL ORDER BY r.row LIMIT $2) AS c`);
const deleteSessions = sql('DELETE FROM study_sessions WHERE id = ANY($1::bigint[])');
const forgetSessions = sql(
  'UPDATE session_import_rows SET session_id = NULL WHERE import_id = $1 AND row = ANY($2::integer[])',
);

export type WrittenRow = { row: number; problem: MessageKey | null; added: boolean };

/** Writes the rows of an import to the records, and takes them out again, some at a time. */
export function createImportChunkRepository(tx: Transaction, importId: number) {
  return {
    /** The author; then projects are locked: the order of everybody who writes records. No lock is waited for longer. */
    async lockUser(userId: number, milliseconds: number): Promise<void> {
      await tx.rows(setLockTimeout, [String(milliseconds)]);
      await tx.rows(lockUser, [userId]);
    },
    /** Locks the projects of the next rows to write, which end with `last_row`; undefined when there are none. */
    async lockNext(after: number, limit: number): Promise<{ last_row: number; number: number } | undefined> {
      const [next] = await tx.rows<{ last_row: number | null; number: number; project_ids: number[] }>(nextRows, [
        importId,
        after,
        limit,
      ]);
      if (next === undefined || next.last_row === null) return undefined;
      await tx.rows(lockProjects, [next.project_ids]);
      return { last_row: next.last_row, number: next.number };
    },
    /** Inserts the records of the rows up to `last`, or none when one of them cannot be. */
    write: (actor: Actor, { after, last, now }: { after: number; last: number; now: Date }) =>
      tx.rows<WrittenRow>(write, [importId, actor.id, actor.role === 'admin', now, after, last]),
    /** Deletes some of the records that were written; says how many. */
    async deleteSome(limit: number): Promise<number> {
      const [found] = await tx.rows<{
        rows: number[] | null;
        session_ids: number[] | null;
        project_ids: number[] | null;
      }>(writtenRows, [importId, limit]);
      const { rows, session_ids, project_ids } = found ?? {};
      if (!rows || !session_ids || !project_ids) return 0;
      await tx.rows(lockProjects, [project_ids]);
      await tx.rows(deleteSessions, [session_ids]);
      await tx.rows(forgetSessions, [importId, rows]);
      return rows.length;
    },
  };
}
