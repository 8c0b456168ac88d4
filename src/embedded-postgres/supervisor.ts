import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, role } from './cluster.ts';
import { codeOf, EmbeddedPostgresError, textOf } from './error.ts';
import { findFreePort, findLastPort, findServer, launchServer, shutDown } from './server-process.ts';
import { openSession, type Session } from './session.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

type Context = { cluster: Cluster; database: string; log: (message: string) => void; signal: AbortSignal };

type Membership = { session: Session; pid: number; port: number; release(): void };

// Milliseconds.
const startTimeout = 60_000; // without progress; recovery may take longer
const healthyAfter = 60_000; // a server that ran this long is restarted without a pause
const minRetryDelay = 100;
const maxRetryDelay = 10_000;

/** Each process restarts a lost server on the same port; one of them owns it (see session.ts); the last process stops it. */
export async function supervise(cluster: Cluster, database: string, log: (message: string) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopRequested = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const context: Context = { cluster, database, log, signal };

  const first = await join(context, undefined);
  let last = first;
  let membership: Membership | undefined = first;

  const keepRunning = async () => {
    for (let pause = 0; ; ) {
      const since = Date.now();
      await Promise.race([membership?.session.ended, stopRequested]);
      if (signal.aborted) return;
      if (membership !== undefined) log('embedded PostgreSQL exited; restarting');
      membership?.release();
      membership = undefined;
      pause = Date.now() - since > healthyAfter ? 0 : Math.min(Math.max(2 * pause, minRetryDelay), maxRetryDelay);
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        membership = await join(context, first.port);
        last = membership;
      } catch (error) {
        if (!signal.aborted) log(`could not restart the embedded PostgreSQL: ${textOf(error)}`);
      }
    }
  };
  const supervision = keepRunning();

  const stop = async () => {
    stopping.abort();
    await supervision;
    if (membership === undefined) return;
    const { session, pid, release } = membership;
    if (await session.leave()) await shutDown(cluster, pid);
    release();
    await session.close();
  };
  let stopped: Promise<void> | undefined;

  return {
    url: urlOf(cluster, first.port, database),
    adminUrl: urlOf(cluster, first.port, 'postgres'),
    get attached() {
      return !last.session.owner;
    },
    get pid() {
      return last.pid;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function join(context: Context, fixedPort: number | undefined): Promise<Membership> {
  const { cluster, log, signal } = context;
  let port = fixedPort ?? (await findLastPort(cluster));
  let starting: Watchdog | undefined;
  let reason = 'no connection';
  let deadline = Date.now() + startTimeout;
  for (let pause = 5; Date.now() < deadline && !signal.aborted; pause = Math.min(1.5 * pause, 1_000)) {
    const server = await findServer(cluster);
    if (server === undefined) {
      const launch = await launchServer(cluster, port ?? (await findFreePort()));
      if (launch.outcome === 'started') {
        starting?.release();
        starting = launch.watchdog;
      } else {
        reason = launch.reason;
        if (launch.outcome === 'broken') throw new EmbeddedPostgresError(`PostgreSQL does not start: ${reason}`);
        if (launch.outcome === 'port taken') port = fixedPort;
      }
    } else if (server.status === 'ready') {
      if (fixedPort !== undefined && server.port !== fixedPort) {
        throw new EmbeddedPostgresError(`it now listens on port ${server.port}; restart this process`);
      }
      try {
        const membership = await connect(context, server.pid, server.port);
        if (starting === undefined && (await isShuttingDown(membership))) continue;
        starting?.release();
        const verb = starting === undefined ? 'joined' : 'started';
        log(`${verb} the embedded PostgreSQL (127.0.0.1:${server.port}, pid ${server.pid}, data in ${cluster.data})`);
        return membership;
      } catch (error) {
        // Class 28: wrong password. Other errors may mean that the server is starting or shutting down.
        if (codeOf(error)?.startsWith('28') === true)
          throw new EmbeddedPostgresError(`${textOf(error)} (${cluster.data})`);
        reason = textOf(error);
      }
    } else if (server.status === 'starting') {
      deadline = Date.now() + startTimeout;
    }
    await delay(pause);
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${reason} (see ${cluster.serverLog})`);
}

/** The watchdog of a killed owner may be about to stop the server. */
async function isShuttingDown({ session, release }: Membership): Promise<boolean> {
  if (!session.owner) return false;
  const ended = await Promise.race([session.ended.then(() => true), delay(250, false)]);
  if (ended) release();
  return ended;
}

async function connect({ cluster, database, log }: Context, pid: number, port: number): Promise<Membership> {
  let watchdog: Watchdog | undefined;
  const release = () => watchdog?.release();
  const onOwner = (immediately: boolean) => {
    watchdog = startWatchdog(cluster.account, pid);
    if (!immediately) log('this process now owns the embedded PostgreSQL');
  };
  try {
    const session = await openSession(urlOf(cluster, port, 'postgres'), database, onOwner);
    return { session, pid, port, release };
  } catch (error) {
    release();
    throw error;
  }
}

function urlOf({ password }: Cluster, port: number, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
