import type { Executor } from '../../db/database.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';
import type { AuditTargetType } from './audit-schemas.ts';

const personal = t.texts(['username', 'email', 'display_name', 'admin_note']);

const forget = command(
  'forget_in_audit_log',
  (type: AuditTargetType, ids: readonly number[]) => sql`
    UPDATE audit_log a SET before = a.before - ${personal}, after = a.after - ${personal}
    WHERE a.target_type = ${t.text(type)} AND a.target_ids && ${t.bigints(ids)}`,
);

export function createAuditRepository(db: Executor) {
  return {
    /** Removes personal data of deleted objects from their entries. */
    forget: (type: AuditTargetType, ids: readonly number[]) => db.execute(forget(type, ids)),
  };
}
