import type { WriteContext } from '../actor.ts';
import type { Database, Executor, Transaction } from '../db/database.ts';
import { isCancelled } from '../db/errors.ts';
import { type AnyProjection, createEventWriter, type RecordedEvent } from './event-writer.ts';
import * as rights from './rights.ts';

/** The pool, or a transaction: the first argument of the functions of a repository. */
export type Db = Executor & {
  /**
   * Rolls back when `work` throws. Inside a transaction it joins that one. The first statement verifies the rights of the actor and
   * locks them until the commit; commands have all rights, and no context.
   */
  transaction<Result>(context: WriteContext | undefined, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** A transaction on behalf of nobody: of jobs, and of requests whose caller is not signed in. */
  asService<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
};

export type Tx = Db & {
  /** Records what was changed, by the actor of the transaction unless the event names another one. */
  record(...events: readonly RecordedEvent[]): void;
  /** For side effects that cannot be rolled back, such as files, mail and log lines. */
  afterCommit(action: () => void): void;
};

/** The projections are written before the commit of each transaction that records events. */
export function createDb(database: Database, projections: readonly AnyProjection[]): Db {
  async function transaction<Result>(
    context: WriteContext | undefined,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    let actor: WriteContext | undefined;
    const setActor = (acting: WriteContext) => {
      actor = acting;
    };
    try {
      return await database.transaction(async (tx) => join(tx, projections, setActor).transaction(context, work));
    } catch (error) {
      // Revoking the actor's rights cancels the transaction. The error is then that of missing rights, not of a busy service.
      if (actor !== undefined && isCancelled(error)) await verifyAgain(database, actor);
      throw error;
    }
  }
  const { many, maybeOne, one, execute, table } = database;
  return {
    many,
    maybeOne,
    one,
    execute,
    table,
    get knex() {
      return database.knex;
    },
    transaction,
    asService: (work) => transaction(undefined, work),
  };
}

const verifyAgain = (database: Database, actor: WriteContext) =>
  database.transaction(async (tx) => {
    await rights.awaitChange(tx, actor.actor_id);
    await rights.verify(tx, { ...actor, changes: [] });
  });

function join(
  transaction: Transaction,
  projections: readonly AnyProjection[],
  setActor: (context: WriteContext) => void,
): Tx {
  const writer = createEventWriter(transaction, projections);
  let by: WriteContext | undefined;

  async function joined<Result>(context: WriteContext | undefined, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    if (context !== undefined) {
      setActor(context); // before the verification, which can be cancelled, too
      await rights.verify(transaction, context);
    }
    by = context ?? by;
    return work(tx);
  }
  const tx: Tx = {
    ...transaction,
    transaction: joined,
    asService: (work) => joined(undefined, work),
    record: (...events) => writer.record(...events.map((event) => ({ by, ...event }))),
  };
  return tx;
}
