import { type Executor, sql } from '../../db/database.ts';
import type { AuditEntry, AuditQuery } from './audit-schemas.ts';

// Total and page from one snapshot; a page past the end is one row without an entry.
const listEntries = sql(`
  WITH found AS NOT MATERIALIZED (
    SELECT a.id, a.at FROM audit_log a
    WHERE ($1::bigint IS NULL OR a.actor_id = $1) AND ($2::text IS NULL OR a.action = $2)
      AND ($3::bigint IS NULL OR a.target_ids @> ARRAY[$3::bigint])
      AND ($4::timestamptz IS NULL OR a.at >= $4) AND ($5::timestamptz IS NULL OR a.at < $5)),
  page AS (SELECT f.id FROM found f ORDER BY f.at DESC, f.id DESC LIMIT $6 OFFSET $7)
  SELECT (SELECT count(*) FROM found) AS total, a.id, a.at, a.action, a.request_id, a.target_type, a.target_ids,
    a.before, a.after, json_build_object('id', u.id, 'username', u.username) AS actor
  FROM (VALUES (1)) AS always
  LEFT JOIN (page p JOIN audit_log a ON a.id = p.id JOIN users u ON u.id = a.actor_id) ON true
  ORDER BY a.at DESC, a.id DESC`);

type Row = AuditEntry & { total: number };

/** What administrators changed. The triggers of the database write it. */
export function createAuditReadModel(db: Executor) {
  return {
    /** One page, newest first. */
    async list({ actor, action, target_id, from, to, page, limit }: AuditQuery) {
      const filters = [actor ?? null, action ?? null, target_id ?? null, from ?? null, to ?? null];
      const rows = await db.rows<Row>(listEntries, [...filters, limit, (page - 1) * limit]);
      const entries = rows.filter((row) => row.id !== null).map(({ total: _, ...entry }) => entry);
      return { entries, total: rows[0]?.total ?? 0 };
    },
  };
}

export type AuditReadModel = ReturnType<typeof createAuditReadModel>;
