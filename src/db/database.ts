import knexFactory, { type Knex } from 'knex';
import { isReadOnlyServer, translateDatabaseError } from './errors.ts';
import { type Columns, createExecutor, type Executor, type ExecutorOptions, only, type Row } from './executor.ts';
import { connectionSettings, createPool, createPoolGuard, noPoolGuard } from './pool.ts';
import { sql, t } from './sql/sql.ts';
import { many, one } from './statements.ts';

export type { Columns, Executor, Row };
export { only };

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
  /**
   * Milliseconds; 0 = no limit. A response takes at most 15 seconds: the request waits for a connection when its caller is
   * identified and when its transaction begins, and then a second longer than the statement timeout for a silent server.
   */
  timeouts?: { statement?: number; lock?: number; idle?: number; connect?: number };
  /** Throws when the pool is used inside a transaction. Off in production, because it slows down every promise. */
  guardTransactions?: boolean;
};

/** Knex prints errors that it also throws. */
const noLog = { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined };

const defaultTimeouts = { statement: 9_000, lock: 7_000, idle: 30_000, connect: 2_500 };

export function openDatabase({ url, poolSize, timeouts, guardTransactions = true }: DatabaseOptions): Database {
  const pool = createPool({ url, size: poolSize, timeouts: { ...defaultTimeouts, ...timeouts } });
  const knex = knexFactory({ client: 'pg', connectionPool: pool, log: noLog, compileSqlOnError: false });
  knex.on('query-error', (error) => {
    if (isReadOnlyServer(error)) pool.replaceConnections(); // a former primary: a new connection may reach the current one
  });

  const options = { prepare: !/[?&]prepare=false\b/.test(url), check: guardTransactions };
  const guard = guardTransactions ? createPoolGuard() : noPoolGuard;
  const connection = () => {
    guard.check();
    return knex;
  };
  return {
    ...createExecutor(connection, { ...options, repeatsCancelled: true }),
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
    pool: () => ({ used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() }),
    close: async () => {
      await pool.destroy();
      await knex.destroy();
    },
  };
}

const readSettings = one(
  'read_server_settings',
  { version: t.integer, encoding: t.text, connections: t.integer },
  () => sql`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('max_connections')::int AS connections`,
);

export type ServerSettings = Awaited<ReturnType<typeof readServerSettings>>;

export const readServerSettings = (database: Executor) => readSettings(database);

const readOtherSettings = many(
  'read_other_settings',
  { name: t.text },
  (settings: Readonly<Record<string, string>>) => {
    const [names, values] = [t.texts(Object.keys(settings)), t.texts(Object.values(settings))];
    return sql`
    SELECT s.name FROM unnest(${names}, ${values}) AS k (name, value) JOIN pg_settings s ON s.name = k.name
    WHERE replace(s.setting, ' ', '') <> k.value ORDER BY s.name`;
  },
);

/**
 * The settings of connections that a pooler does not forward and the role does not have, so that statements may run without a limit.
 * `database` has the default timeouts.
 */
export async function findMissingSettings(database: Executor): Promise<string[]> {
  return (await readOtherSettings(database, connectionSettings(defaultTimeouts))).map(({ name }) => name);
}
