import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { findServerAccount } from '../../src/embedded-postgres/programs.ts';
import { configuration } from './configuration.ts';
import type { Network } from './network.ts';
import { startProgram } from './programs.ts';

/** The last octet of the addresses of db1, db2 and db3. */
export const databaseMachines = [21, 22, 23];

export type DatabaseMachine = Awaited<ReturnType<typeof startMachine>>;

type Role = 'primary' | 'sync' | 'async' | 'none';

const superuser = { user: 'postgres', password: 'secret-of-postgres' };

/** Three servers with etcd, Patroni and PostgreSQL, of which one is the primary and one its synchronous standby. */
export async function startDatabases(network: Network) {
  const machines = await Promise.all(
    databaseMachines.map((address, index) => startMachine(network, address, `db${index + 1}`)),
  );
  const withRole = async (role: Role) => {
    const roles = await Promise.all(machines.map(({ patroni }) => patroni.role()));
    return machines.find((_machine, index) => roles[index] === role);
  };

  /**
   * Waits until there is a primary with a synchronous and an asynchronous standby. Patroni's roles are not enough: it
   * reports a former primary as a running replica before it is rewound.
   */
  async function healthy(): Promise<void> {
    await expect.poll(standbyStates, { interval: 250, timeout: 180_000 }).toEqual(['async', 'sync']);
  }

  async function standbyStates(): Promise<string[]> {
    const primary = await withRole('primary');
    const text = `SELECT sync_state FROM pg_stat_replication
      WHERE state = 'streaming' AND application_name LIKE 'db_' -- not pg_basebackup
      ORDER BY sync_state`;
    const rows = (await primary?.query<{ sync_state: string }>(text, 'postgres').catch(() => [])) ?? [];
    return rows.map(({ sync_state }) => sync_state);
  }

  await healthy();
  return {
    machines,
    healthy,
    async primary(): Promise<DatabaseMachine> {
      const machine = await withRole('primary');
      if (machine === undefined) throw new Error('there is no primary');
      return machine;
    },
    async others(): Promise<DatabaseMachine[]> {
      const primary = await withRole('primary');
      return machines.filter((machine) => machine !== primary);
    },
    standby: () => withRole('sync'),
  };
}

async function startMachine(network: Network, address: number, name: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), `studytrack-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  const account = await findServerAccount(folder);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const runAs = { account, namespace: network.namespaceOf(address) };
  const own = `$<key>10.0.0.${address}`;
  const inNetwork = ['10.0.0.', `${network.prefix}.`] as const;
  const sources = network.cable === undefined ? '127.0.0.0/8' : `${network.prefix}.0/24`;

  const etcdFile = path.join(folder, 'etcd.yml');
  const etcdText = await configuration('etcd.yml', [
    ['name: db1', `name: ${name}`],
    [/(?<key>-urls: http:\/\/)10\.0\.0\.21/g, own],
    ['/var/lib/etcd/studytrack', path.join(folder, 'etcd')],
    inNetwork,
  ]);
  await writeFile(etcdFile, etcdText);
  const patroniFile = path.join(folder, 'patroni.yml');
  const patroniText = await configuration('patroni.yml', [
    ['name: db1', `name: ${name}`],
    [/(?<key>(?:listen|connect_address): )10\.0\.0\.21/g, own],
    ['10.0.0.0/24', sources],
    ['ttl: 20', 'ttl: 10'],
    ['loop_wait: 5', 'loop_wait: 1'],
    ['retry_timeout: 5', 'retry_timeout: 3'],
    ['primary_stop_timeout: 3', 'primary_stop_timeout: 1'],
    ['max_connections: 200', 'max_connections: 200\n        fsync: off'], // no test simulates a power failure
    ['/var/lib/postgresql/15/studytrack', path.join(folder, 'data')],
    ['/var/run/postgresql', folder],
    inNetwork,
  ]);
  await writeFile(patroniFile, patroniText, { mode: 0o644 });

  const etcd = startProgram(['etcd', '--config-file', etcdFile], { log: path.join(folder, 'etcd.log'), ...runAs });
  const patroni = startProgram(['patroni', patroniFile], { log: path.join(folder, 'patroni.log'), ...runAs });
  const api = `http://${network.prefix}.${address}:8008`;

  /** PostgreSQL is a separate process, which survives Patroni. */
  async function signalPostgres(signal: NodeJS.Signals): Promise<void> {
    const file = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const [pid] = file.split('\n');
    try {
      if (pid) process.kill(Number(pid), signal);
    } catch {} // it has already exited
  }
  onTestFinished(async () => {
    await patroni.end('SIGKILL');
    await signalPostgres('SIGQUIT');
  });

  return {
    name,
    address,
    etcd,
    patroni: { ...patroni, ...patroniApi(api) },
    /** Kills every process of the machine at once. */
    async kill(): Promise<void> {
      await Promise.all([patroni.end('SIGKILL'), etcd.end('SIGKILL'), signalPostgres('SIGKILL')]);
    },
    start(): void {
      etcd.start();
      patroni.start();
    },
    /** A superuser's statement over the Unix socket, which a network cut does not affect. */
    query: <Row extends object>(text: string, database = 'studytrack') =>
      queryOnce<Row>({ host: folder, port: 5432, database }, text),
  };
}

function patroniApi(api: string) {
  const headers = { Authorization: `Basic ${btoa('patroni:secret-of-patroni')}`, 'Content-Type': 'application/json' };
  return {
    /**
     * The role that the machine itself reports, as HAProxy reads it. The list of all members shows a frozen one with its
     * former role.
     */
    async role(): Promise<Role> {
      const is = (role: Role) =>
        fetch(`${api}/${role}`, { signal: AbortSignal.timeout(1_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
      const roles = ['primary', 'sync', 'async'] as const;
      const matches = await Promise.all(roles.map(is));
      return roles.find((_role, index) => matches[index]) ?? 'none';
    },
    /** An orderly switchover to another primary. */
    async switchover(leader: string, candidate: string): Promise<void> {
      const body = JSON.stringify({ leader, candidate });
      const signal = AbortSignal.timeout(60_000);
      const response = await fetch(`${api}/switchover`, { method: 'POST', headers, body, signal });
      if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
    },
  };
}

/** Runs a statement over a new connection; fails after `timeout` milliseconds. */
export async function queryOnce<Row extends object>(
  to: pg.ClientConfig,
  text: string,
  timeout = 10_000,
): Promise<Row[]> {
  const client = new pg.Client({ ...superuser, ...to, connectionTimeoutMillis: 10_000, query_timeout: timeout });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await Promise.race([client.end().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  }
}
