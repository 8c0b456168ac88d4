import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { command } from '../db/sql/statement.ts';
import { t } from '../db/sql/types.ts';

// Rows are locked in id order, so that no two transactions deadlock.
const bumpVersions = command(
  'bump_list_versions',
  (userIds: readonly number[]) => sql`
    UPDATE user_list_versions v SET version = v.version + 1
    FROM (
      SELECT user_id FROM user_list_versions WHERE user_id = ANY(${t.bigints(userIds)}) ORDER BY user_id FOR UPDATE
    ) AS locked
    WHERE v.user_id = locked.user_id`,
);

/** Every user's list of projects has a version. A cached list is sent only while its version is the current one. */
export function createListVersions(tx: Transaction) {
  const changed = new Set<number>();
  return {
    /** Marks the project lists of these users as changed by the transaction: its last step bumps each version once. */
    bump(userIds: Iterable<number>): void {
      if (changed.size === 0) tx.beforeCommit(async () => void (await tx.execute(bumpVersions([...changed]))));
      for (const id of userIds) changed.add(id);
    },
  };
}
