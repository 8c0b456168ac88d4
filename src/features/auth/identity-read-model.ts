import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import { t } from '../../db/types.ts';
import { listVersion, rowVersions } from '../../freshness/stamps.ts';

export type IdentityRequest = { user_id: number; sign_in_id: string; project_ids: readonly number[] };

// Batched: one array position per request. The row versions are summed once for all of them.
// The arrays are hidden in subqueries from the planner: it would plan anew for every other length of them, and planning
// takes several times as long as reading.
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
    const positions = t.bigints(requests.flatMap(({ project_ids }, index) => project_ids.map(() => index + 1)));
    const projectIds = t.bigints(requests.flatMap((request) => request.project_ids));
    return sql`
      SELECT requested.position, u.id, u.username, u.role, u.timezone, s.id AS sign_in_id,
        u.password_expires_at IS NOT NULL AS must_change_password, u.totp_enabled,
        ${listVersion(sql`u.role = 'admin'`, sql`u.id`)} AS list, coalesce(versions.rows, 0) AS rows
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds})) WITH ORDINALITY AS requested (user_id, sign_in_id, position)
      JOIN users u ON u.id = requested.user_id AND u.status = 'active'
      JOIN sign_ins s ON s.id = requested.sign_in_id AND s.user_id = u.id AND s.revoked_at IS NULL
      LEFT JOIN ${rowVersions(positions, projectIds)} AS versions ON versions.position = requested.position`;
  },
);

export function createIdentityReadModel(db: Executor) {
  return {
    /** The active users behind valid sign-ins, with the 1-based position of the request each belongs to. */
    readAll: (requests: readonly IdentityRequest[]) => db.many(readIdentities(requests)),
  };
}
