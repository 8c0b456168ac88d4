import { byPosition, type Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { UnavailableError } from '../../errors.ts';
import { createBatch } from '../../lib/batch.ts';
import type { Origin } from '../../lib/log/security-log.ts';
import { type CacheVersion, listVersion, rowVersions } from '../../list-cache/list-cache.ts';
import type { Scope } from './tokens.ts';

type Role = 'admin' | 'user';

export type Actor = {
  id: number;
  username: string;
  role: Role;
  timezone: string;
  sign_in_id: string;
  must_change_password: boolean;
  totp_enabled: boolean;
  /** Those of the personal access token; undefined for a sign-in. */
  scopes?: readonly Scope[] | undefined;
  /** When the token expires, in milliseconds. */
  expires?: number;
  origin?: Origin;
  /** Undefined in commands, where no user is signed in. */
  context?: WriteContext;
};

/** The caller, and the cache version that their cached list must have to be current. */
export type Identity = { actor: Actor; cacheVersion: CacheVersion };

/**
 * Who writes in a transaction, through which operation and request. The transaction verifies that they still have the
 * rights of their request; the audit log attributes administrators' changes to it.
 */
export type WriteContext = {
  actor_id: number;
  sign_in_id: string;
  role: 'admin' | 'user';
  action: string;
  request_id: string;
  /** Users whose rights the transaction changes: their own transactions commit before it or see it. */
  changes?: readonly number[];
};

export function withLockedUsers(
  context: WriteContext | undefined,
  userIds: readonly number[],
): WriteContext | undefined {
  return context && { ...context, changes: userIds };
}

type IdentityRequest = { user_id: number; sign_in_id: string; project_ids: readonly number[] };

const ownListVersion = listVersion(sql`u.role = 'admin'`, sql`u.id`);
const shownRowVersions = rowVersions(sql`r.project_ids::bigint[]`);

// Batched: one array position per request; the project ids are the text of an array. Subqueries hide the arrays from
// the planner, which would otherwise plan again for every array length; planning takes several times as long as
// reading. OFFSET 0 forces an index lookup per sign-in: for the ten that the planner assumes, it would scan a table
// of some thousands.
const readIdentities = query(
  'read_identities',
  {
    position: t.bigint,
    id: t.bigint,
    username: t.text,
    role: t.oneOf(['admin', 'user']),
    timezone: t.text,
    sign_in_id: t.uuid,
    must_change_password: t.boolean,
    totp_enabled: t.boolean,
    list: t.text,
    rows: t.bigint,
  },
  (requests: readonly IdentityRequest[]) => {
    const userIds = t.bigints(requests.map((request) => request.user_id));
    const signInIds = t.uuids(requests.map((request) => request.sign_in_id));
    const projectIds = t.texts(requests.map((request) => `{${request.project_ids}}`));
    return sql`
      SELECT r.position, u.id, u.username, u.role, u.timezone, u.sign_in_id,
        u.password_expires_at IS NOT NULL AS must_change_password, u.totp_enabled,
        ${ownListVersion} AS list, ${shownRowVersions} AS rows
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds}), (SELECT ${projectIds})) WITH ORDINALITY
        AS r (user_id, sign_in_id, project_ids, position)
      CROSS JOIN LATERAL (
        SELECT u.*, s.id AS sign_in_id FROM sign_ins s JOIN users u ON u.id = s.user_id AND u.status = 'active'
        WHERE s.id = r.sign_in_id AND s.user_id = r.user_id AND s.revoked_at IS NULL OFFSET 0) AS u`;
  },
);

/**
 * Reads the caller on every request: role and status are never taken from the token. Reads are batched over all callers; undefined
 * for a sign-in that is no longer valid.
 */
export function createIdentityReader(db: Executor) {
  async function readAll(requests: readonly IdentityRequest[]): Promise<(Identity | undefined)[]> {
    const found = byPosition(requests, await db.many(readIdentities(requests)));
    return found.map((row) => {
      if (row === undefined) return undefined;
      const { position: _, list, rows, ...actor } = row;
      return { actor, cacheVersion: { list, rows } };
    });
  }

  return { read: createBatch(readAll, { isShared: (error) => error instanceof UnavailableError }) };
}

export type IdentityReader = ReturnType<typeof createIdentityReader>;

const verifyActor = command(
  'verify_actor',
  ({ actor_id, sign_in_id, role, changes = [] }: WriteContext) => sql`
    SELECT verify_actor(${t.bigint(actor_id)}, ${t.uuid(sign_in_id)}, ${t.text(role)}, ${t.bigints(changes)})`,
);

const awaitChange = command(
  'await_change_of_rights',
  (userId: number) => sql`SELECT pg_advisory_xact_lock_shared(7246107, -(${t.bigint(userId)} % 2147483647)::integer)`,
);

export function createActorRepository(db: Executor) {
  return {
    /** Throws unless the actor still has the rights of their request, which are then locked until the commit. */
    verify: (context: WriteContext) => db.execute(verifyActor(context)),
    /** Waits for a running change of the user's rights, which may not have its lock yet when it has cancelled a transaction. */
    awaitChange: (userId: number) => db.execute(awaitChange(userId)),
  };
}
