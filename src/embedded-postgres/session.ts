import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { codeOf } from './error.ts';

export type Session = {
  readonly owner: boolean;
  ended: Promise<void>;
  /** Returns true for the last process, which stops the server before `close`. */
  leave(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * The key of the owner's advisory lock in the maintenance database. Other processes queue for the lock, and PostgreSQL grants it to
 * the next one when the owner exits, so that it cannot become stale.
 */
const ownership = 7_831_250_914;
const ownerName = 'studytrack owner';
const handOverTimeout = 10_000; // ms

export async function openSession(
  url: string,
  database: string,
  onOwner: (immediately: boolean) => void,
): Promise<Session> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('error', () => undefined); // `ended` reports it
  await client.connect();
  try {
    await createDatabase(client, database);
    const { pid, owned } = await tryOwn(client);
    let owner = false;
    const own = async () => {
      owner = true;
      onOwner(owned);
      await client.query("select set_config('application_name', $1, false)", [ownerName]);
    };
    const queueUp = async () => {
      await client.query('select pg_advisory_lock($1)', [ownership]);
      await own();
    };
    let queueing = !owned;
    if (owned) await own();
    const queue = owned
      ? undefined
      : queueUp()
          .catch(() => undefined) // cancelled by `leave`, or the server has exited
          .finally(() => {
            queueing = false;
          });
    socket.unref(); // does not keep a finished script alive

    return {
      get owner() {
        return owner;
      },
      ended,
      async leave() {
        socket.ref();
        // The cancellation may arrive before the query.
        while (queueing)
          await Promise.race([cancel(url, pid).then(() => delay(100, undefined, { ref: false })), queue]);
        return owner && handOver(client);
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Returns false when another process has confirmed that it took over: the next in the queue may be a killed process. */
async function handOver(client: Client): Promise<boolean> {
  try {
    await client.query("select set_config('application_name', '', false), pg_advisory_unlock($1)", [ownership]);
    for (const deadline = Date.now() + handOverTimeout; Date.now() < deadline; await delay(10)) {
      if ((await tryOwn(client)).owned) return true;
      const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [ownerName]);
      if (rowCount !== 0) return false;
    }
    return false;
  } catch {
    return true; // the server has exited
  }
}

async function tryOwn(client: Client): Promise<{ pid: number; owned: boolean }> {
  const { rows } = await client.query<{ pid: number; owned: boolean }>(
    'select pg_backend_pid() as pid, pg_try_advisory_lock($1) as owned',
    [ownership],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

/** On another connection, because the first one is waiting. */
async function cancel(url: string, backend: number): Promise<void> {
  const client = new Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1)', [backend]);
  } catch {
    // The server is shutting down, which also ends the wait.
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount !== 0) return;
  await client.query(`create database ${escapeIdentifier(name)}`).catch((error: unknown) => {
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
  });
}
