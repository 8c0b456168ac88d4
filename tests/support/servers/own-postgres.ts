import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Cluster, prepareCluster, role } from '../../../src/embedded-postgres/cluster.ts';
import { dataArgument, spawnOptions } from '../../../src/embedded-postgres/programs.ts';
import { findFreePort } from '../../../src/embedded-postgres/server.ts';
import { copyCluster } from './prepared-cluster.ts';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Not synced to the disk, since no test switches the machine off; whatever a killed server answered it has written. */
const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off'];

/** A PostgreSQL server of the test's own, with an empty database in it, for as long as the test lasts. */
export async function startPostgres(more: readonly string[] = []) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-postgres-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  await copyCluster(folder);
  const cluster = await prepareCluster(folder, false, () => undefined);
  const server = await serve(cluster, more);
  await server.query(`CREATE DATABASE studytrack TEMPLATE template0`, 'postgres');
  return server;
}

async function serve(cluster: Cluster, more: readonly string[]) {
  const port = await findFreePort();
  const words = [...settings, ...more].flatMap((setting) => ['-c', setting]);
  const url = `postgres://${role}:${cluster.password}@127.0.0.1:${port}/studytrack`;
  let server: ChildProcess | undefined;

  /** As after a crash: the server is back when it answers, and tried again while children of a killed one leave. */
  async function start(): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; ) {
      const started = spawn(
        cluster.programs.postgres,
        ['-D', dataArgument(cluster.account, cluster.data), '-p', String(port), ...words],
        { ...spawnOptions(cluster.account, cluster.data), stdio: 'ignore' },
      );
      server = started;
      while (started.exitCode === null && started.signalCode === null) {
        if (await query('SELECT 1', 'postgres').catch(() => undefined)) return;
        await delay(50);
      }
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not start in ${cluster.data}`);
      await delay(100);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  }

  /** The rows of a statement, over a connection for it alone. */
  async function query<Row extends object>(text: string, database = 'studytrack'): Promise<Row[]> {
    const client = new pg.Client(url.replace(/studytrack$/, database));
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  onTestFinished(() => end('SIGINT'));
  await start();
  return {
    url,
    cluster,
    query,
    start,
    /** A fast shutdown: open connections are closed. */
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  };
}
