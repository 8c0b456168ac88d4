import type { Socket } from 'node:net';
import knexFactory, { type Knex } from 'knex';
import { translateDatabaseError } from './errors.ts';
import { createExecutor, type Executor, type ExecutorOptions } from './executor.ts';
import { createPoolGuard, noPoolGuard } from './pool-guard.ts';

export type { Executor };

type TransactionStarter = {
  /** All or nothing: rolls back when `work` throws. Inside a transaction it joins that one. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
};

export type Transaction = Executor &
  TransactionStarter & {
    /** The transaction's last steps, in the order in which they were added. */
    beforeCommit(action: () => Promise<void>): void;
    /** Runs after the commit, never on a rollback: for files, mail and the like. */
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
  const actions: (() => void)[] = [];
  const lastSteps: (() => Promise<void>)[] = [];
  const connection = () => {
    if (trx.isCompleted()) throw new Error('the transaction has ended');
    return trx;
  };
  const tx: Transaction = {
    ...createExecutor(connection, options),
    knex: trx,
    transaction: (work) => work(tx),
    beforeCommit: (action) => void lastSteps.push(action),
    afterCommit: (action) => void actions.push(action),
  };
  return {
    tx,
    finish: async () => {
      for (const step of lastSteps) await step();
    },
    committed: () => {
      for (const action of actions) action();
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

/** A BEGIN or COMMIT that fails does not reject Knex's own promise of it: only this other one tells. */
async function commit(trx: Knex.Transaction): Promise<void> {
  await trx.commit();
  await trx.executionPromise;
}

export type DatabaseOptions = {
  /** With the parameter `prepare=false`: no prepared statements, for a pooler that does not know them. */
  url: string;
  poolSize: number;
  /** Milliseconds a statement may take, a lock may be waited for, a transaction may lie idle, a connection may be waited for; 0 = no limit. */
  timeouts?: { statement?: number; lock?: number; idle?: number; connect?: number };
  /** Throws where the pool is used inside a transaction. Not in production, where it would slow every promise down. */
  guardTransactions?: boolean;
};

type PooledClient = { readyForQuery: boolean; connection: { stream: Socket } };

/**
 * PostgreSQL ends every statement within its timeout. One that stays silent for longer hangs, or is beyond a network
 * that swallows packets: the connection is cut, so that the request fails and the pool lets go of it.
 */
function cutWhenSilent(client: PooledClient, milliseconds: number): void {
  const { stream } = client.connection;
  stream.setTimeout(milliseconds, () => {
    if (!client.readyForQuery) stream.destroy(new Error('Connection terminated: no response from the database'));
  });
}

/** Knex prints what it also throws; the thrown one is logged once, where it is handled. */
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

export function openDatabase({ url, poolSize, timeouts = {}, guardTransactions = true }: DatabaseOptions): Database {
  const { statement = 12_000, lock = 8_000, idle = 30_000, connect = 5_000 } = timeouts;
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      connectionTimeoutMillis: connect,
      keepAlive: true,
      application_name: 'studytrack',
      // Compiling a statement (jit) takes longer than running it, and is done from estimates, which grow with the tables.
      // Where a bitmap does not fit into its memory, the pairs of all rows of a page are computed again.
      options: `-c TimeZone=UTC -c jit=off -c work_mem=16MB -c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=${idle}`,
    },
    pool: {
      min: 0,
      max: poolSize,
      afterCreate: (client: PooledClient, done: (error: null, client: PooledClient) => void) => {
        if (statement > 0) cutWhenSilent(client, statement + 1_000);
        done(null, client);
      },
    },
    log: silent,
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
        // A rollback that fails has lost its connection: PostgreSQL has rolled back by itself.
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
