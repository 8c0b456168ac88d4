import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { DatabaseMachine } from './databases.ts';

type Fault = {
  name: string;
  /** Statuses besides 503 with Retry-After that requests may get; undefined for a connection closed before the whole response. */
  otherStatuses?: readonly (number | undefined)[];
  /** Why this machine cannot cause it. */
  skipped?: string;
  cause(): Promise<void>;
  /** What an operator does later to restore the failed part; the service recovers without it. */
  heal(): Promise<void>;
};

export function faults(cluster: Cluster): Fault[] {
  const { databases, machines, redis } = cluster;
  return [
    killedService(cluster),
    { name: 'Redis killed', cause: redis.kill, heal: redis.start },
    lostEtcdMember(cluster),
    killedPrimary(cluster),
    frozenPatroni(cluster),
    cutPrimary(cluster),
    {
      name: 'everything restarted, one after the other',
      otherStatuses: [undefined], // a request on an idle connection that nginx closes on reload
      cause: async () => {
        for (const machine of machines) await restartService(machine);
        cluster.nginx.signal('SIGHUP');
        await redis.kill();
        await redis.start();
        await restartDatabases(databases);
      },
      heal: async () => undefined,
    },
  ];
}

function killedService({ machines }: Cluster): Fault {
  const [first] = machines;
  return {
    name: 'a process of the service killed',
    otherStatuses: [502, undefined], // nginx's status for a request that the process was handling, or half of its response
    cause: async () => void (await first?.end('SIGKILL')),
    heal: async () => first?.start(),
  };
}

function lostEtcdMember({ databases }: Cluster): Fault {
  let lost: DatabaseMachine | undefined;
  return {
    name: "the primary's etcd member killed",
    cause: async () => {
      lost = await databases.primary();
      await lost.etcd.end('SIGKILL');
      await delay(12_000); // longer than the lease, which is renewed
      expect((await databases.primary()).name).toBe(lost.name);
    },
    heal: async () => lost?.etcd.start(),
  };
}

function killedPrimary({ databases }: Cluster): Fault {
  let killed: DatabaseMachine | undefined;
  return {
    name: "the primary's machine killed (PostgreSQL, Patroni, etcd)",
    cause: async () => {
      killed = await databases.primary();
      await killed.kill();
      await untilFailover(databases, killed);
    },
    heal: async () => killed?.start(),
  };
}

/** PostgreSQL continues as a primary that nothing demotes: only synchronous replication prevents its commits. */
function frozenPatroni({ databases }: Cluster): Fault {
  let frozen: DatabaseMachine | undefined;
  return {
    name: "the primary's Patroni frozen",
    cause: async () => {
      frozen = await databases.primary();
      frozen.patroni.signal('SIGSTOP');
      await untilFailover(databases, frozen);
      await expectNoWrite(frozen);
    },
    heal: async () => void frozen?.patroni.signal('SIGCONT'),
  };
}

function cutPrimary({ databases, cable }: Cluster): Fault {
  let cut: DatabaseMachine | undefined;
  return {
    name: "the primary's network cut",
    ...(cable === undefined && { skipped: 'needs root and network namespaces' }),
    cause: async () => {
      cut = await databases.primary();
      cable?.pull(cut.address);
      const early = expectNoWrite(cut);
      await untilFailover(databases, cut);
      await early;
      await expectNoWrite(cut);
    },
    heal: async () => cable?.plug(cut?.address ?? 0),
  };
}

/** Waits until another server is promoted: until then it confirms commits of the former primary. */
async function untilFailover(databases: Cluster['databases'], former: DatabaseMachine): Promise<void> {
  const others = databases.machines.filter((machine) => machine !== former);
  const isPrimary = async ({ patroni, query }: DatabaseMachine) => {
    if ((await patroni.role()) !== 'primary') return false;
    const rows = await query<{ writes: boolean }>('SELECT NOT pg_is_in_recovery() AS writes').catch(() => []);
    return rows[0]?.writes === true;
  };
  await expect.poll(() => Promise.all(others.map(isPrimary)), { interval: 250 }).toContain(true);
}

let attempts = 0;

/** A write on this server is not acknowledged: it fails, or waits for a standby that does not respond. */
async function expectNoWrite({ query }: DatabaseMachine): Promise<void> {
  attempts += 1;
  const written = await query(`CREATE TABLE split_brain_${attempts} ()`).then(
    () => true,
    () => false,
  );
  expect(written).toBe(false);
}

async function restartService(machine: Cluster['machines'][number]): Promise<void> {
  expect(await machine.end('SIGTERM')).toBe(0);
  await Promise.all([machine.haproxy.restart(), machine.pgbouncer.restart()]);
  await machine.start();
  await delay(2000); // nginx's fail_timeout, before which it does not use the service again
}

/** First the standbys, then the primary after a switchover to the synchronous standby. */
async function restartDatabases(databases: Cluster['databases']): Promise<void> {
  const primary = await databases.primary();
  for (const machine of await databases.others()) await restartDatabase(databases, machine);
  const candidate = await databases.standby();
  await primary.patroni.switchover(primary.name, candidate?.name ?? '');
  await databases.healthy();
  await restartDatabase(databases, primary);
}

async function restartDatabase(databases: Cluster['databases'], machine: DatabaseMachine): Promise<void> {
  await machine.patroni.restart();
  await machine.etcd.restart();
  await databases.healthy();
}
