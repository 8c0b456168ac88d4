import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, role } from './cluster.ts';
import { codeOf, EmbeddedPostgresError, textOf } from './error.ts';
import { findFreePort, findLastPort, findServer, launchServer, shutDown } from './server.ts';
import { openSession, type Session } from './session.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

type Context = { cluster: Cluster; database: string; log: (message: string) => void; signal: AbortSignal };

/** This process's place at the server; `release` sends the watchdog home that an owner keeps. */
type Membership = { session: Session; pid: number; port: number; release(): void };

// All in milliseconds.
const patience = 60_000; // for a server that shows no sign of coming up; a recovery may take as long as it takes
const calm = 60_000; // a server that ran this long is healthy: when it is lost, it is started again at once
const shortestPause = 100;
const longestPause = 10_000;

/**
 * Joins the server and keeps it up. The rule for several processes: whoever misses the server starts it again at the
 * same port; one of them owns it and keeps a watchdog at it (see session.ts); the last one to leave stops it.
 */
export async function supervise(cluster: Cluster, database: string, log: (message: string) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopRequested = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const context: Context = { cluster, database, log, signal };

  const first = await join(context, undefined);
  let last = first;
  let membership: Membership | undefined = first;

  const keepUp = async () => {
    for (let pause = 0; ; ) {
      const since = Date.now();
      await Promise.race([membership?.session.ended, stopRequested]);
      if (signal.aborted) return;
      if (membership !== undefined) log('the embedded PostgreSQL is gone; starting it again');
      membership?.release();
      membership = undefined;
      pause = Date.now() - since > calm ? 0 : Math.min(Math.max(2 * pause, shortestPause), longestPause);
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        membership = await join(context, first.port);
        last = membership;
      } catch (error) {
        if (!signal.aborted) log(`the embedded PostgreSQL could not be started: ${textOf(error)}`);
      }
    }
  };
  const supervision = keepUp();

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

/**
 * Joins the running server or starts one: at `fixedPort`; without it at the port of the last time, or any free one.
 * @throws EmbeddedPostgresError
 */
async function join(context: Context, fixedPort: number | undefined): Promise<Membership> {
  const { cluster, log, signal } = context;
  let port = fixedPort ?? (await findLastPort(cluster));
  let starting: Watchdog | undefined;
  let reason = 'it does not answer';
  let deadline = Date.now() + patience;
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
        throw new EmbeddedPostgresError(
          `it listens at port ${server.port} now, so that this process has to be restarted`,
        );
      }
      try {
        const membership = await enter(context, server.pid, server.port);
        if (starting === undefined && (await isLeaving(membership))) continue;
        starting?.release();
        const verb = starting === undefined ? 'joined' : 'started';
        log(`${verb} the embedded PostgreSQL (127.0.0.1:${server.port}, pid ${server.pid}, data in ${cluster.data})`);
        return membership;
      } catch (error) {
        // Class 28: the password is not that of the cluster. Anything else may be a start or a shutdown under way.
        if (codeOf(error)?.startsWith('28') === true)
          throw new EmbeddedPostgresError(`${textOf(error)} (${cluster.data})`);
        reason = textOf(error);
      }
    } else if (server.status === 'starting') {
      deadline = Date.now() + patience;
    }
    await delay(pause);
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL did not come up: ${reason} (see ${cluster.serverLog})`);
}

/**
 * Has a server that was running without an owner gone away again? The one before us died, and its watchdog may be just
 * about to stop it.
 */
async function isLeaving({ session, release }: Membership): Promise<boolean> {
  if (!session.owner) return false;
  const ended = await Promise.race([session.ended.then(() => true), delay(250, false)]);
  if (ended) release();
  return ended;
}

async function enter({ cluster, database, log }: Context, pid: number, port: number): Promise<Membership> {
  let watchdog: Watchdog | undefined;
  const release = () => watchdog?.release();
  const onOwner = (atOnce: boolean) => {
    watchdog = startWatchdog(cluster.account, pid);
    if (!atOnce) log('this process answers for the embedded PostgreSQL from now on');
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
