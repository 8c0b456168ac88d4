import type { Executor } from '../../db/database.ts';
import { type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { type AuditQuery, auditTargetTypes } from './audit-schemas.ts';

const entryColumns = {
  id: t.bigint,
  at: t.timestamptz,
  actor_id: t.bigint,
  actor_username: t.text,
  action: t.text,
  request_id: t.text,
  target_type: t.oneOf(auditTargetTypes),
  target_ids: t.bigints,
  before: t.json<Record<string, unknown>>().orNull,
  after: t.json<Record<string, unknown>>().orNull,
};
export type AuditEntryRow = RowOf<typeof entryColumns>;

function matches({ actor, action, target_type, target_id, from, to }: AuditQuery) {
  const [actorId, operation] = [t.bigint(actor ?? null), t.text(action ?? null)];
  const [targetType, targetId] = [t.text(target_type ?? null), t.bigint(target_id ?? null)];
  const [since, until] = [t.timestamptz(from ?? null), t.timestamptz(to ?? null)];
  return sql`(${actorId} IS NULL OR a.actor_id = ${actorId}) AND (${operation} IS NULL OR a.action = ${operation})
    AND (${targetType} IS NULL OR a.target_type = ${targetType})
    AND (${targetId} IS NULL OR a.target_ids @> ARRAY[${targetId}])
    AND (${since} IS NULL OR a.at >= ${since}) AND (${until} IS NULL OR a.at < ${until})`;
}

const listEntries = query(
  'list_audit_entries',
  { total: t.bigint, ...entryColumns },
  (filter: AuditQuery) => sql`
    WITH found AS NOT MATERIALIZED (SELECT a.id, a.at FROM audit_log a WHERE ${matches(filter)}),
    page AS (
      SELECT f.id FROM found f ORDER BY f.at DESC, f.id DESC
      LIMIT ${t.bigint(filter.limit)} OFFSET ${t.bigint((filter.page - 1) * filter.limit)})
    SELECT (SELECT count(*) FROM found) AS total, a.id, a.at, a.actor_id, u.username AS actor_username, a.action,
      a.request_id, a.target_type, a.target_ids, a.before, a.after
    FROM page p JOIN audit_log a ON a.id = p.id JOIN users u ON u.id = a.actor_id
    ORDER BY a.at DESC, a.id DESC`,
);
const countEntries = query(
  'count_audit_entries',
  { total: t.bigint },
  (filter: AuditQuery) => sql`SELECT count(*) AS total FROM audit_log a WHERE ${matches(filter)}`,
);

export function createAuditReadModel(db: Executor) {
  return {
    async list(filter: AuditQuery): Promise<{ entries: AuditEntryRow[]; total: number }> {
      const entries = await db.many(listEntries(filter));
      const { total } = entries[0] ?? (await db.one(countEntries(filter))); // past the end
      return { entries, total };
    },
  };
}

export type AuditReadModel = ReturnType<typeof createAuditReadModel>;
