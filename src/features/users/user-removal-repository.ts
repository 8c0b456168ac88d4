import { type Executor, sql } from '../../db/database.ts';

// What hangs on the user: assigned projects, and the one whose timer runs. Projects are locked in id order, as everywhere.
const lockProjects = sql(`
  SELECT p.id FROM projects p
  WHERE p.id IN (
    SELECT a.project_id FROM project_assignments a WHERE a.user_id = $1
    UNION ALL SELECT s.project_id FROM study_sessions s WHERE s.user_id = $1 AND s.ended_at IS NULL)
  ORDER BY p.id FOR NO KEY UPDATE`);

// Both parts see the relation as it was before.
const unassign = sql(`
  WITH removed AS (DELETE FROM project_assignments WHERE user_id = $1 RETURNING project_id, owner_id)
  SELECT r.owner_id AS id FROM removed r
  UNION SELECT a.user_id FROM project_assignments a JOIN removed r ON r.project_id = a.project_id`);

const anonymise = sql(`
  UPDATE users SET username = 'deleted-' || id, email = NULL, password_hash = NULL, password_expires_at = NULL,
    display_name = 'Deleted user', role = 'user', status = 'inactive', timezone = 'UTC', last_login_at = NULL,
    totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0, deleted_at = now(), updated_at = now()
  WHERE id = $1`);

/** The parts of a user's removal, in the order of the locks they take. */
export function createUserRemovalRepository(db: Executor) {
  return {
    async lockProjects(userId: number): Promise<void> {
      await db.rows(lockProjects, [userId]);
    },
    /** Takes the user off every project; answers who has one of them in the list, the user included. */
    async unassign(userId: number): Promise<number[]> {
      return (await db.rows<{ id: number }>(unassign, [userId])).map((row) => row.id);
    },
    /** The row stays without anything personal, because records and projects name it. */
    async anonymise(userId: number): Promise<void> {
      await db.rows(anonymise, [userId]);
    },
  };
}
