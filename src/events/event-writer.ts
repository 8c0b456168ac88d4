import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { command } from '../db/sql/statement.ts';
import { t } from '../db/sql/types.ts';
import type { RecordedEvent } from './event.ts';
import { changedLists } from './list-version-projection.ts';

// Versions are locked in user id order, to prevent deadlocks.
const writeEvents = command(
  'write_events',
  (userIds: readonly number[]) => sql`
    UPDATE user_list_versions v SET version = v.version + 1
    FROM (
      SELECT user_id FROM user_list_versions WHERE user_id = ANY(${t.bigints(userIds)}) ORDER BY user_id FOR UPDATE
    ) AS locked
    WHERE v.user_id = locked.user_id`,
);

/** Writes everything that follows from the recorded events, as the last step of the transaction. */
export function createEventWriter(tx: Transaction) {
  const recorded: RecordedEvent[] = [];

  async function write(): Promise<void> {
    const lists = changedLists(recorded);
    if (lists.length > 0) await tx.execute(writeEvents(lists));
  }

  return {
    record(...events: readonly RecordedEvent[]): void {
      if (events.length === 0) return;
      if (recorded.length === 0) tx.beforeCommit(write);
      recorded.push(...events);
    },
  };
}
