import type { WriteContext } from '../actor.ts';
import { sql, t } from '../db/sql/sql.ts';
import { execute } from '../db/statements.ts';

/** Throws unless the actor still has the rights of their request, which are then locked until the commit. */
export const verify = execute(
  'verify_actor',
  ({ actor_id, sign_in_id, role, changes = [] }: WriteContext) => sql`
    SELECT verify_actor(${t.bigint(actor_id)}, ${t.uuid(sign_in_id)}, ${t.text(role)}, ${t.bigints(changes)})`,
);

/** Waits for a running change of the user's rights, which may not have its lock yet when it has cancelled a transaction. */
export const awaitChange = execute(
  'await_change_of_rights',
  (userId: number) => sql`SELECT pg_advisory_xact_lock_shared(7246107, -(${t.bigint(userId)} % 2147483647)::integer)`,
);

/**
 * SQL: whether a sign-in `s` of a user `u` has not been ended, by itself or with all of the user. The database function
 * `actor_verdict` says the same.
 */
export const isOpen = sql`s.revoked_at IS NULL AND s.generation = u.sign_in_generation`;
