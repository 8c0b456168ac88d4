import { type Executor, sql } from '../../db/database.ts';

export type OwnSignIn = {
  id: string;
  device: string;
  address: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

// Bounded, because nothing bounds how often somebody signs in.
const listLive = sql(`
  SELECT s.id, s.device, s.address, s.created_at, coalesce(s.last_used_at, s.created_at) AS last_used_at, s.expires_at
  FROM sign_ins s WHERE s.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
  ORDER BY coalesce(s.last_used_at, s.created_at) DESC, s.id LIMIT 100`);
const endOne = sql(`
  UPDATE sign_ins SET revoked_at = $3
  WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING id`);

/** The sign-ins of one user, as the user sees them. */
export function createOwnSignInsRepository(db: Executor) {
  return {
    listLive: (userId: number, now: Date) => db.rows<OwnSignIn>(listLive, [userId, now]),
    /** False when the user has no such sign-in, or it has ended. */
    async end(id: string, userId: number, now: Date): Promise<boolean> {
      return (await db.rows(endOne, [id, userId, now])).length > 0;
    },
  };
}
