import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { codeOf } from './error.ts';

/** One process's place at a running server. */
export type Session = {
  /** true when this process is the one that answers for the server */
  readonly owner: boolean;
  /** resolves when the server, or an administrator of it, has cut the connection */
  ended: Promise<void>;
  /** Gives the place up. True when nobody else is left, so that the caller is to stop the server before `close`. */
  leave(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Who owns the server is said by an advisory lock in it. The first process to come holds the lock; the others queue for
 * it, so PostgreSQL hands it on the moment the owner leaves or dies. No pid, no file, nothing that could be stale.
 * Advisory locks are per database: this number is only taken in the maintenance database.
 */
const ownership = 7_831_250_914;
const ownerName = 'studytrack owner';
const heirTimeout = 10_000; // ms

/** `onOwner` is called when this process becomes the owner: at once, or when the one before it leaves. */
export async function openSession(url: string, database: string, onOwner: (atOnce: boolean) => void): Promise<Session> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('error', () => undefined); // told by `ended`
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
          .catch(() => undefined) // cancelled by `leave`, or the server is gone
          .finally(() => {
            queueing = false;
          });
    socket.unref(); // a script that is done may end

    return {
      get owner() {
        return owner;
      },
      ended,
      async leave() {
        socket.ref();
        // Again, should the cancellation have overtaken the query.
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

/**
 * False when somebody else has taken over. The one who queues may be a process that was killed, and its end
 * not noticed yet by the server, so the heir has to show a sign of life.
 */
async function handOver(client: Client): Promise<boolean> {
  try {
    await client.query("select set_config('application_name', '', false), pg_advisory_unlock($1)", [ownership]);
    for (const deadline = Date.now() + heirTimeout; Date.now() < deadline; await delay(10)) {
      if ((await tryOwn(client)).owned) return true;
      const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [ownerName]);
      if (rowCount !== 0) return false;
    }
    return false;
  } catch {
    return true; // the server is gone already
  }
}

async function tryOwn(client: Client): Promise<{ pid: number; owned: boolean }> {
  const { rows } = await client.query<{ pid: number; owned: boolean }>(
    'select pg_backend_pid() as pid, pg_try_advisory_lock($1) as owned',
    [ownership],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no answer to a query without a table');
  return row;
}

/** The connection itself cannot ask: it waits. */
async function cancel(url: string, backend: number): Promise<void> {
  const client = new Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1)', [backend]);
  } catch {
    // The server is going down, which ends the waiting as well.
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount !== 0) return;
  await client.query(`create database ${escapeIdentifier(name)}`).catch((error: unknown) => {
    // Another process was faster, or is about to be.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error;
  });
}
