import type { Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';

const purgeDeletions = command(
  'purge_sync_deletions',
  (before: Date, limit: number) => sql`
    DELETE FROM sync_deletions d USING (
      SELECT e.user_id, e.changed_in, e.item_type, e.item_id FROM sync_deletions e
      WHERE e.deleted_at < ${t.timestamptz(before)} ORDER BY e.deleted_at LIMIT ${t.bigint(limit)}) AS expired
    WHERE (d.user_id, d.changed_in, d.item_type, d.item_id)
      = (expired.user_id, expired.changed_in, expired.item_type, expired.item_id)`,
);

export function createSyncRepository(db: Executor) {
  return {
    /** Deletes the oldest entries before the given time, limited per statement. */
    purge: (before: Date, limit: number) => db.execute(purgeDeletions(before, limit)),
  };
}
