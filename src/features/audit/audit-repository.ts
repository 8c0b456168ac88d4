import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

const insertExport = command(
  'insert_export_audit_entry',
  (filter: object) => sql`SELECT audit_add('export', '{}', NULL, ${t.jsonb(JSON.stringify(filter))})`,
);

export function createAuditRepository(db: Executor) {
  return {
    /** Requires the transaction of an administrator, with an audit context. */
    insertExport: (filter: object) => db.execute(insertExport(filter)),
  };
}
