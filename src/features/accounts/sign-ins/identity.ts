import { actingRoles } from '../../../actor.ts';
import { byPosition, type Executor } from '../../../db/executor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import type { Identity } from '../../../http/caller.ts';
import { createBatch } from '../../../lib/batch.ts';
import { listVersion, rowVersions } from '../../../list-cache/list-cache.ts';
import { UnavailableError } from '../../../texts/errors.ts';
import { isOpen } from '../../../transactions/rights.ts';
import { actingRole } from '../../../transactions/scope-sql.ts';

type IdentityRequest = { user_id: number; sign_in_id: string; project_ids: readonly number[] };

const ownListVersion = listVersion(sql`u.role = 'admin'`, sql`u.id`);
const shownRowVersions = rowVersions(sql`r.project_ids::bigint[]`);

// Batched: one array position per request; the project ids are the text of an array. Subqueries hide the arrays from
// the planner, which would otherwise plan again for every array length; planning takes several times as long as
// reading. OFFSET 0 forces an index lookup per sign-in: for the ten that the planner assumes, it would scan a table
// of some thousands.
const readIdentities = many(
  'read_identities',
  {
    position: t.bigint,
    id: t.bigint,
    username: t.text,
    role: t.oneOf(actingRoles),
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
      SELECT r.position, u.id, u.username, ${actingRole} AS role, u.timezone, u.sign_in_id,
        u.password_expires_at IS NOT NULL AS must_change_password, u.totp_enabled,
        ${ownListVersion} AS list, ${shownRowVersions} AS rows
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds}), (SELECT ${projectIds})) WITH ORDINALITY
        AS r (user_id, sign_in_id, project_ids, position)
      CROSS JOIN LATERAL (
        SELECT u.*, s.id AS sign_in_id FROM sign_ins s JOIN users u ON u.id = s.user_id AND u.status = 'active'
        WHERE s.id = r.sign_in_id AND s.user_id = r.user_id AND ${isOpen} OFFSET 0) AS u`;
  },
);

/**
 * Reads the caller on every request: role and status are never taken from the token. Reads are batched over all callers; undefined
 * for a sign-in that is no longer valid.
 */
export function createIdentityReader(db: Executor) {
  async function readAll(requests: readonly IdentityRequest[]): Promise<(Identity | undefined)[]> {
    const found = byPosition(requests, await readIdentities(db, requests));
    return found.map((row) => {
      if (row === undefined) return undefined;
      const { position: _, list, rows, ...actor } = row;
      return { actor, cacheVersion: { list, rows } };
    });
  }

  return { read: createBatch(readAll, { isShared: (error) => error instanceof UnavailableError }) };
}
