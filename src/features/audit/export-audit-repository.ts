import { type Executor, sql } from '../../db/database.ts';

const insertExport = sql(`SELECT audit_add('export', '{}', NULL, $1::jsonb)`);

export function createExportAuditRepository(db: Executor) {
  return {
    /** Within the transaction of an administrator's act. */
    async insert(filter: object): Promise<void> {
      await db.rows(insertExport, [JSON.stringify(filter)]);
    },
  };
}
