import { sql } from '../db/sql/sql.ts';

/**
 * SQL: whether a sign-in `s` of a user `u` has not been ended, by itself or with all of the user. The database function
 * `actor_verdict` says the same.
 */
export const isOpen = sql`s.revoked_at IS NULL AND s.generation = u.sign_in_generation`;
