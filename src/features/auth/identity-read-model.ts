import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import { t } from '../../db/types.ts';
import { listVersion, rowVersions } from '../../freshness/stamps.ts';

export type IdentityRequest = { user_id: number; sign_in_id: string; project_ids: readonly number[] };

// Batched: one array position per request, with the ids of its projects as the text of an array.
// The arrays are hidden in subqueries from the planner: it would plan anew for every other length of them, and planning
// takes several times as long as reading. OFFSET makes it look up each sign-in by index: for a batch of ten, which is what
// it expects, it would read all of some thousands.
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
        ${listVersion(sql`u.role = 'admin'`, sql`u.id`)} AS list, ${rowVersions(sql`r.project_ids::bigint[]`)} AS rows
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds}), (SELECT ${projectIds})) WITH ORDINALITY
        AS r (user_id, sign_in_id, project_ids, position)
      CROSS JOIN LATERAL (
        SELECT u.*, s.id AS sign_in_id FROM sign_ins s JOIN users u ON u.id = s.user_id AND u.status = 'active'
        WHERE s.id = r.sign_in_id AND s.user_id = r.user_id AND s.revoked_at IS NULL OFFSET 0) AS u`;
  },
);

export function createIdentityReadModel(db: Executor) {
  return {
    /** The active users behind valid sign-ins, with the 1-based position of the request each belongs to. */
    readAll: (requests: readonly IdentityRequest[]) => db.many(readIdentities(requests)),
  };
}
