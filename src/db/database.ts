import type { Socket } from 'node:net';
import knexFactory, { type Knex } from 'knex';
import { translateDatabaseError } from './errors.ts';
import { createExecutor, type Executor, type ExecutorOptions } from './executor.ts';
import { createPoolGuard, noPoolGuard } from './pool-guard.ts';

export type { Executor };

type TransactionStarter = {
  /** Rolls back when `work` throws. Inside a transaction it joins that one. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
};

export type Transaction = Executor &
  TransactionStarter & {
    beforeCommit(action: () => Promise<void>): void;
    /** For side effects that cannot be rolled back, such as files and mail. */
    afterCommit(action: () => void): void;
  };

export type Database = Executor &
  TransactionStarter & {
    pool(): { used: number; free: number; waiting: number };
    close(): Promise<void>;
  };

type Pool = { numUsed(): number; numFree(): number; numPendingAcquires(): number };

function createTransaction(
  trx: Knex.Transaction,
  options: ExecutorOptions,
): { tx: Transaction; finish(): Promise<void>; committed(): void } {
  const afterCommitActions: (() => void)[] = [];
  const beforeCommitSteps: (() => Promise<void>)[] = [];
  const connection = () => {
    if (trx.isCompleted()) throw new Error('the transaction has ended');
    return trx;
  };
  const tx: Transaction = {
    ...createExecutor(connection, options),
    knex: trx,
    transaction: (work) => work(tx),
    beforeCommit: (action) => void beforeCommitSteps.push(action),
    afterCommit: (action) => void afterCommitActions.push(action),
  };
  return {
    tx,
    finish: async () => {
      for (const step of beforeCommitSteps) await step();
    },
    committed: () => {
      for (const action of afterCommitActions) action();
    },
  };
}

async function begin(knex: Knex): Promise<Knex.Transaction> {
  try {
    const trx = await knex.transaction();
    if (trx.isCompleted()) await trx.executionPromise;
    return trx;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

/** A failed BEGIN or COMMIT rejects `executionPromise` only. */
async function commit(trx: Knex.Transaction): Promise<void> {
  await trx.commit();
  await trx.executionPromise;
}

export type DatabaseOptions = {
  /** `?prepare=false` disables prepared statements, for poolers without support for them. */
  url: string;
  poolSize: number;
  /** Milliseconds; 0 = no limit. */
  timeouts?: { statement?: number; lock?: number; idle?: number; connect?: number };
  /** Throws when the pool is used inside a transaction. Off in production, because it slows down every promise. */
  guardTransactions?: boolean;
};

type PooledClient = { readyForQuery: boolean; connection: { stream: Socket } };

/** Closes a connection without a response after the statement timeout: the server hangs, or the network drops packets. */
function closeWhenSilent(client: PooledClient, milliseconds: number): void {
  const { stream } = client.connection;
  stream.setTimeout(milliseconds, () => {
    if (!client.readyForQuery) stream.destroy(new Error('Connection terminated: no response from the database'));
  });
}

/** Knex prints errors that it also throws. */
const noLog = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

export function openDatabase({ url, poolSize, timeouts = {}, guardTransactions = true }: DatabaseOptions): Database {
  const { statement = 12_000, lock = 8_000, idle = 30_000, connect = 5_000 } = timeouts;
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      connectionTimeoutMillis: connect,
      keepAlive: true,
      application_name: 'studytrack',
      // JIT compilation takes longer than the statements themselves. With less work_mem, bitmaps of the search index become lossy,
      // and the character pairs of all rows of a page are computed again.
      options: `-c TimeZone=UTC -c jit=off -c work_mem=16MB -c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=${idle}`,
    },
    pool: {
      min: 0,
      max: poolSize,
      afterCreate: (client: PooledClient, done: (error: null, client: PooledClient) => void) => {
        if (statement > 0) closeWhenSilent(client, statement + 1_000);
        done(null, client);
      },
    },
    log: noLog,
    acquireConnectionTimeout: connect,
  });

  const options = { prepare: !/[?&]prepare=false\b/.test(url), check: guardTransactions };
  const guard = guardTransactions ? createPoolGuard() : noPoolGuard;
  const connection = () => {
    guard.check();
    return knex;
  };
  return {
    ...createExecutor(connection, options),
    get knex() {
      guard.check();
      return knex;
    },
    transaction: async (work) => {
      guard.check();
      const trx = await begin(knex);
      const { tx, finish, committed } = createTransaction(trx, options);
      try {
        const result = await guard.run(() => work(tx));
        await finish();
        await commit(trx);
        committed();
        return result;
      } catch (error) {
        // A rollback fails only when the connection is lost; PostgreSQL then rolls back.
        if (!trx.isCompleted()) await trx.rollback().catch(() => undefined);
        throw translateDatabaseError(error); // of the commit
      }
    },
    pool: () => {
      const pool: Pool = knex.client.pool; // Knex does not type its client
      return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
    },
    close: () => knex.destroy(),
  };
}
