import type { WriteContext } from '../actor.ts';
import type { Executor, Transaction } from '../db/database.ts';
import { join, type Sql, sql } from '../db/sql/sql.ts';
import { execute } from '../db/statements.ts';
import type { AssignedUsers, DomainEvent } from '../events.ts';
import { createYield } from '../lib/fair-queue.ts';

/** The rows of another projection for the same events, which are computed once. */
type RowsOf = <Row>(projection: Projection<Row>) => readonly Row[];

/** What follows from events, such as entries of the audit log. It is written by the transaction that recorded them. */
export type Projection<Row> = {
  rows(events: readonly RecordedEvent[], rowsOf: RowsOf): readonly Row[];
  /** SQL: the common table expressions that insert the rows, of which there is at least one. */
  insert(rows: readonly Row[]): Sql;
  /** Whether anybody reads the rows; asked before many are sent. By default somebody does. */
  hasReaders?(db: Executor): Promise<boolean>;
};

// biome-ignore lint/suspicious/noExplicitAny: each projection has rows of its own, which only the projection itself reads
export type AnyProjection = Projection<any>;

/** `by`: whose request it was; undefined for jobs, commands and callers that are not signed in. */
export type RecordedEvent = DomainEvent & { readonly by?: WriteContext | undefined };

/** Of one projection: sending more costs more than asking whether anybody reads them. */
const manyRows = 50;

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
      const isUnread = rows.length > manyRows && (await projection.hasReaders?.(tx)) === false;
      if (rows.length > 0 && !isUnread) inserts.push(projection.insert(rows));
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

/** The users of all projects. A batch has up to 100,000 pairs of few users: `flatMap` takes ten times as long. */
export function usersOf(projects: readonly Pick<AssignedUsers, 'user_ids'>[]): Set<number> {
  const users = new Set<number>();
  for (const { user_ids } of projects) for (const id of user_ids) users.add(id);
  return users;
}
