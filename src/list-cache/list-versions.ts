import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { command } from '../db/sql/statement.ts';
import { t } from '../db/sql/types.ts';

// Locks rows in id order to prevent deadlocks.
const bumpVersions = command(
  'bump_list_versions',
  (userIds: readonly number[]) => sql`
    UPDATE user_list_versions v SET version = v.version + 1
    FROM (
      SELECT user_id FROM user_list_versions WHERE user_id = ANY(${t.bigints(userIds)}) ORDER BY user_id FOR UPDATE
    ) AS locked
    WHERE v.user_id = locked.user_id`,
);

export function createListVersions(tx: Transaction) {
  const changed = new Set<number>();
  return {
    /** Marks the users' project lists as changed; each version is bumped once, as the last step of the transaction. */
    bump(userIds: Iterable<number>): void {
      if (changed.size === 0) tx.beforeCommit(async () => void (await tx.execute(bumpVersions([...changed]))));
      for (const id of userIds) changed.add(id);
    },
  };
}
