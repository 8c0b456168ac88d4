import type { Transaction } from '../db/database.ts';
import { join, type Sql, sql } from '../db/sql/sql.ts';
import { execute } from '../db/statements.ts';
import { createYield } from '../lib/fair-queue.ts';
import type { AnyProjection, Projection, RecordedEvent, RowsOf } from './projection.ts';

const writeEvents = execute(
  'write_events',
  (inserts: readonly Sql[]) => sql`WITH ${join([...inserts], sql`, `)} SELECT`,
);

/** Each projection is computed when its rows are first asked for. */
function createRowsOf(events: readonly RecordedEvent[]): RowsOf {
  const computed = new Map<AnyProjection, readonly unknown[]>();
  return function rowsOf<Row>(projection: Projection<Row>): readonly Row[] {
    const known = computed.get(projection);
    if (known !== undefined) return known as readonly Row[]; // rows of this projection
    const rows = projection.rows(events, rowsOf);
    computed.set(projection, rows);
    return rows;
  };
}

/** Writes everything that follows from the recorded events by one statement, as the last step of the transaction. */
export function createEventWriter(tx: Transaction, projections: readonly AnyProjection[]) {
  const recorded: RecordedEvent[] = [];

  async function write(): Promise<void> {
    const rowsOf = createRowsOf(recorded);
    const yieldTurn = createYield(); // an event may concern 100,000 assignments
    const inserts: Sql[] = [];
    for (const projection of projections) {
      const rows = rowsOf(projection);
      await yieldTurn();
      if (rows.length > 0) inserts.push(projection.insert(rows));
      await yieldTurn();
    }
    if (inserts.length > 0) await writeEvents(tx, inserts);
  }

  return {
    record(...events: readonly RecordedEvent[]): void {
      if (events.length === 0) return;
      if (recorded.length === 0) tx.beforeCommit(write);
      recorded.push(...events);
    },
  };
}
