import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import { Pool } from 'tarn';

export type ConnectionPool = Pool<pg.Client> & {
  /** All connections are replaced before they are used again: a new one may reach another server. */
  replaceConnections(): void;
};

/** Milliseconds; 0 = no limit. */
type Timeouts = { statement: number; lock: number; idle: number };
export type PoolOptions = { url: string; size: number; timeouts: Timeouts & { connect: number } };

/**
 * What every connection needs, as in `pg_settings`. JIT compilation takes longer than the statements themselves. With less work_mem,
 * bitmaps of the search index become lossy, and the character pairs of all rows of a page are computed again.
 */
export const connectionSettings = ({ statement, lock, idle }: Timeouts) => ({
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  jit: 'off',
  work_mem: '16384',
  statement_timeout: `${statement}`,
  lock_timeout: `${lock}`,
  idle_in_transaction_session_timeout: `${idle}`,
});

export function createPool({ url, size, timeouts }: PoolOptions): ConnectionPool {
  const { statement, connect } = timeouts;
  const usable = new Set<pg.Client>();
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: connect,
    keepAlive: true,
    application_name: 'studytrack',
    options: Object.entries(connectionSettings(timeouts))
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };

  async function create(): Promise<pg.Client> {
    const client = new pg.Client(settings);
    const remove = () => usable.delete(client);
    client.on('error', remove).on('end', remove); // a running statement also throws the error
    await client.connect();
    if (statement > 0) closeWhenSilent(client, statement + 1_000);
    renewPlans(client);
    usable.add(client);
    return client;
  }

  const pool = new Pool<pg.Client>({
    min: 0,
    max: size,
    create,
    validate: (client) => usable.has(client),
    destroy: (client) => client.end(),
    acquireTimeoutMillis: connect,
    propagateCreateError: true,
  });
  return Object.assign(pool, { replaceConnections: () => usable.clear() });
}

/** What pg does not type. */
type Connected = { readyForQuery: boolean; connection: { stream: Socket } };

/** Closes a connection without a response after the statement timeout: the server hangs, or the network drops packets. */
function closeWhenSilent(client: pg.Client, milliseconds: number): void {
  const connected = client as unknown as Connected;
  const { stream } = connected.connection;
  stream.setTimeout(milliseconds, () => {
    if (!connected.readyForQuery) stream.destroy(new Error('Connection terminated: no response from the database'));
  });
}

const planMilliseconds = 10_000;

/**
 * Has prepared statements planned again at their next use. A plan made while a table was empty scans it, and PostgreSQL keeps
 * that plan until the next ANALYZE, however large the table has become. A new plan counts the pages of the table.
 */
function renewPlans(client: pg.Client): void {
  const discard = () => void client.query('DISCARD PLANS').catch(() => undefined); // in a failed transaction
  const timer = setInterval(discard, planMilliseconds).unref();
  client.on('end', () => clearInterval(timer));
}

export type PoolGuard = {
  /** Until `work` settles, `check` throws in everything that it calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
  check(): void;
};

type RunningTransaction = { guard: PoolGuard; open: boolean; outer: RunningTransaction | undefined };

// One for all pools: each AsyncLocalStorage slows down every promise of the process.
const running = new AsyncLocalStorage<RunningTransaction>();

/** Rejects use of the pool inside a transaction: such a query does not see its changes, and a full pool deadlocks. */
export function createPoolGuard(): PoolGuard {
  const guard: PoolGuard = {
    async run(work) {
      const transaction = { guard, open: true, outer: running.getStore() };
      try {
        return await running.run(transaction, work);
      } finally {
        transaction.open = false; // background work that outlives it may use the pool
      }
    },
    check() {
      for (let transaction = running.getStore(); transaction !== undefined; transaction = transaction.outer)
        if (transaction.guard === guard && transaction.open)
          throw new Error('the pool was used inside a transaction; use the transaction instead');
    },
  };
  return guard;
}

export const noPoolGuard: PoolGuard = { run: (work) => work(), check: () => undefined };
