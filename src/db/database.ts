import type { Socket } from 'node:net';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import { createPoolGuard, noPoolGuard } from './pool-guard.ts';

/** A statement that PostgreSQL parses and plans once per connection. Make it at module level with `sql`. */
export type Statement = { readonly name: string; readonly text: string };
// pg takes arrays for PostgreSQL arrays
export type Value = string | number | boolean | null | Date | Buffer | readonly (string | number | null)[];

/** What a repository runs its statements with: the pool, or the one connection of a transaction. */
export type Executor = {
  /** Runs a prepared statement and returns its rows. */
  rows<Row>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** The query builder on the same connection, for writes whose columns vary. */
  readonly knex: Knex;
  /**
   * All or nothing. Inside a transaction it joins that one. With an act, its first statement verifies that the actor still
   * has the rights the request was admitted with, and holds them until the commit.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, act?: Act): Promise<T>;
};

/** On whose behalf a transaction writes, through which operation and in which request. */
export type Act = {
  actor_id: number;
  sign_in_id: string;
  role: 'admin' | 'user';
  action: string;
  request_id: string;
  /** Users whose rights the transaction takes away: their own transactions commit before it or see it. */
  changes?: readonly number[];
};

/** The act of a transaction that takes rights away from users. */
export function changingRights(act: Act | undefined, userIds: readonly number[]): Act | undefined {
  return act && { ...act, changes: userIds };
}

export type Transaction = Executor & {
  /** Runs after the commit, never on a rollback: for files, mail and the like. */
  onCommit(action: () => void): void;
  /**
   * Remembers whose project lists change with this transaction. Their versions are raised as its last step, each once
   * and in id order, so that no two transactions deadlock.
   */
  bumpListVersions(userIds: Iterable<number>): void;
};

export type Database = Executor & {
  /** Connections in use, idle, and requests that wait for one. */
  pool(): { used: number; free: number; waiting: number };
  close(): Promise<void>;
};

let statements = 0;

/** Names a statement. The text is PostgreSQL's own, with `$1 …`; the name is for the server's list of prepared statements. */
export function sql(text: string): Statement {
  statements += 1;
  return { name: `s${statements}`, text };
}

// bigint and numeric as numbers (ids and hours stay far below 2^53), timestamps as the interface writes them, dates as text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// @ts-expect-error the list of known types leaves bigint[] out
pg.types.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString());
pg.types.setTypeParser(1082, (text) => text);

const bumpVersions = sql(`
  UPDATE user_list_versions v SET version = v.version + 1
  FROM (SELECT user_id FROM user_list_versions WHERE user_id = ANY($1::bigint[]) ORDER BY user_id FOR UPDATE) AS locked
  WHERE v.user_id = locked.user_id`);

const verifyActor = sql('SELECT verify_actor($1, $2, $3, $4::bigint[], $5)');

/** The parameters of `verify_actor`. What administrators change is noted in the audit log, by triggers, as their act. */
export function actorValues({ actor_id, sign_in_id, role, action, request_id, changes = [] }: Act): Value[] {
  const audited = role === 'admin' ? JSON.stringify({ actor_id, action, request_id }) : null;
  return [actor_id, sign_in_id, role, changes, audited];
}

type Pool = { numUsed(): number; numFree(): number; numPendingAcquires(): number };
type KnexClient = {
  pool: Pool;
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
};

/** pg looks for what is to be escaped in each element of an array; numbers hold none of it. */
function asParameter(value: Value): Value {
  const isNumbers = Array.isArray(value) && value.every((element) => typeof element === 'number');
  return isNumbers ? `{${value.join()}}` : value;
}

type Run = <Row>(knex: Knex, statement: Statement, values: readonly Value[]) => Promise<Row[]>;

/** Without `prepare` statements have no names: a pooler may hand each one to another connection, which knows none. */
function createRun(prepare: boolean): Run {
  return async <Row>(knex: Knex, { name, text }: Statement, values: readonly Value[]) => {
    const client = knex.client as KnexClient; // Knex does not type its client
    const connection = await client.acquireConnection();
    try {
      const result = await connection.query({ name: prepare ? name : '', text, values: values.map(asParameter) });
      return result.rows as Row[]; // the one border where a row gets its type
    } finally {
      await client.releaseConnection(connection);
    }
  };
}

/** An error that refuses the request and still keeps what the transaction wrote, such as a counted attempt. */
export function commitsOnError(error: unknown): boolean {
  return error instanceof Error && 'commitsOnError' in error && error.commitsOnError === true;
}

function createTransaction(
  trx: Knex.Transaction,
  run: Run,
): { tx: Transaction; finish(): Promise<void>; committed(): void } {
  const actions: (() => void)[] = [];
  const lists = new Set<number>();
  const tx: Transaction = {
    knex: trx,
    rows: async (statement, values = []) => {
      if (trx.isCompleted()) throw new Error('the transaction is over');
      return run(trx, statement, values);
    },
    transaction: async (work, act) => {
      if (act !== undefined) await tx.rows(verifyActor, actorValues(act));
      return work(tx);
    },
    onCommit: (action) => void actions.push(action),
    bumpListVersions: (userIds) => {
      for (const id of userIds) lists.add(id);
    },
  };
  return {
    tx,
    finish: async () => {
      if (lists.size > 0) await tx.rows(bumpVersions, [[...lists]]);
    },
    committed: () => {
      for (const action of actions) action();
    },
  };
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
    if (!client.readyForQuery) stream.destroy(new Error('Connection terminated: the database is silent'));
  });
}

/** Knex prints what it also throws; the thrown one is logged once, where it is handled. */
const silent = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

/** Opens a pool on PostgreSQL. Nothing is connected before the first statement. */
export function openDatabase({ url, poolSize, timeouts = {}, guardTransactions = true }: DatabaseOptions): Database {
  const { statement = 12_000, lock = 8_000, idle = 30_000, connect = 5_000 } = timeouts;
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      connectionTimeoutMillis: connect,
      keepAlive: true,
      application_name: 'studytrack',
      options: `-c TimeZone=UTC -c statement_timeout=${statement} -c lock_timeout=${lock} -c idle_in_transaction_session_timeout=${idle}`,
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

  const run = createRun(!/[?&]prepare=false\b/.test(url));
  const guard = guardTransactions ? createPoolGuard() : noPoolGuard;
  return {
    get knex() {
      guard.check();
      return knex;
    },
    rows: (statementToRun, values = []) => {
      guard.check();
      return run(knex, statementToRun, values);
    },
    transaction: async (work, act) => {
      guard.check();
      const trx = await knex.transaction();
      if (trx.isCompleted()) await trx.executionPromise;
      const { tx, finish, committed } = createTransaction(trx, run);
      try {
        const result = await guard.run(() => tx.transaction(work, act));
        await finish();
        await commit(trx);
        committed();
        return result;
      } catch (error) {
        if (commitsOnError(error) && !trx.isCompleted()) {
          await finish();
          await commit(trx);
          committed();
        } else if (!trx.isCompleted()) {
          await trx.rollback().catch(() => undefined); // the connection is gone: PostgreSQL has rolled back by itself
        }
        throw error;
      }
    },
    pool: () => {
      const { pool } = knex.client as KnexClient;
      return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
    },
    close: () => knex.destroy(),
  };
}
