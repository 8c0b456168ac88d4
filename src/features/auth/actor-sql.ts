import { sql } from '../../db/sql/sql.ts';
import { t } from '../../db/sql/types.ts';
import type { AuditContext } from './audit-context.ts';

/**
 * SQL: calls the database function that throws unless the actor still has the rights of their request, and that holds
 * these rights until the commit. Triggers attribute administrators' changes to it in the audit log.
 */
export function verification({ actor_id, sign_in_id, role, action, request_id, changes = [] }: AuditContext) {
  const audited = role === 'admin' ? JSON.stringify({ actor_id, action, request_id }) : null;
  return sql`verify_actor(${t.bigint(actor_id)}, ${t.uuid(sign_in_id)}, ${t.text(role)}, ${t.bigints(changes)}, ${t.text(audited)})`;
}
