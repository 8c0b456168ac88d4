import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, prepareCluster, role } from './cluster.ts';
import { codeOf, EmbeddedPostgresError, textOf } from './programs.ts';
import {
  findFreePort,
  findLastPort,
  findServer,
  hasExited,
  type Launched,
  launch,
  readLogTail,
  type Server,
  shutDown,
} from './server.ts';

const ignore = () => undefined;

export type EmbeddedPostgres = {
  url: string;
  adminUrl: string;
  pid: number;
  /** Shuts the server down, unless other processes use it. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  durable?: boolean;
  database?: string;
  log?: (message: string) => void;
  /** The server has exited before `stop`; it is not restarted. */
  onExit?: (message: string) => void;
};

/** Joins the server in `dataDir`, or starts it; the last process that uses it stops it. Throws EmbeddedPostgresError. */
export async function startEmbeddedPostgres({
  dataDir,
  durable = true,
  database = 'studytrack',
  log = ignore,
  onExit = ignore,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(path.resolve(dataDir), durable, log);
  const { session, pid, port, verb } = await reachServer(cluster);
  await createDatabase(session.client, database);
  session.socket.unref(); // does not keep a finished script alive
  log(`${verb} the embedded PostgreSQL (127.0.0.1:${port}, pid ${pid}, data in ${cluster.data})`);

  let stopped: Promise<void> | undefined;
  session.client.once('end', () => {
    if (stopped === undefined) onExit(`The embedded PostgreSQL has exited; see ${cluster.serverLog}.`);
  });
  const stop = async () => {
    if (await leave(session)) await shutDown(pid);
    await session.client.end();
  };
  return {
    url: urlOf(cluster, port, database),
    adminUrl: urlOf(cluster, port, 'postgres'),
    pid,
    stop: () => (stopped ??= stop()),
  };
}

const urlOf = ({ password }: Cluster, port: number, database: string) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

type Session = { client: pg.Client; socket: Socket };

const startTimeout = 60_000;

async function reachServer(cluster: Cluster): Promise<Server & { session: Session; verb: string }> {
  let port = (await findLastPort(cluster)) ?? (await findFreePort());
  let launched: Launched | undefined;
  let reason = 'no connection';
  for (let deadline = Date.now() + startTimeout; Date.now() < deadline; await delay(20)) {
    const server = await findServer(cluster);
    if (server?.status === 'ready') {
      try {
        const session = await join(urlOf(cluster, server.port, 'postgres'));
        const verb = launched?.child.pid === server.pid ? 'started' : 'joined';
        if (session !== undefined) return { ...server, session, verb };
      } catch (error) {
        // Class 28: wrong password. After other errors, such as while the server shuts down, another attempt follows.
        if (codeOf(error)?.startsWith('28') === true)
          throw new EmbeddedPostgresError(`${textOf(error)} (${cluster.data})`);
        reason = textOf(error);
      }
    } else if (server?.status === 'starting') {
      deadline = Date.now() + startTimeout; // recovery may take longer
    } else if (server === undefined && (launched === undefined || hasExited(launched.child))) {
      if (launched !== undefined) {
        reason = await readLogTail(cluster, launched);
        if (/could not (bind|create any TCP)/.test(reason)) port = await findFreePort();
        else if (launched.child.exitCode === 1 && !startedElsewhere.test(reason))
          throw new EmbeddedPostgresError(`PostgreSQL does not start: ${reason}`);
      }
      launched = await launch(cluster, port);
    }
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${reason} (see ${cluster.serverLog})`);
}

/** Another process was faster, or children of a killed server have not exited yet. */
const startedElsewhere = /lock file|pre-existing shared memory block/;

/** Each process that uses the server holds this advisory lock shared; the one that stops it, exclusively. */
const usage = 7_831_250_914;

/** Undefined if another process is shutting the server down. */
async function join(url: string): Promise<Session | undefined> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  client.on('error', ignore); // followed by `end`
  await client.connect();
  const { rows } = await client.query<{ joined: boolean }>('select pg_try_advisory_lock_shared($1) as joined', [usage]);
  if (rows[0]?.joined !== true) {
    await client.end();
    return undefined;
  }
  return { client, socket };
}

/** True for the last process. */
async function leave({ client, socket }: Session): Promise<boolean> {
  socket.ref();
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usage]);
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [usage]);
    return rows[0]?.last === true;
  } catch {
    return false; // the server has exited
  }
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount !== 0) return;
  await client.query(`create database ${pg.escapeIdentifier(name)}`).catch((error: unknown) => {
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error; // another process was faster
  });
}
