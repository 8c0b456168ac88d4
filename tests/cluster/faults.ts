import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { DatabaseMachine } from './databases.ts';

type Fault = {
  name: string;
  /** What requests may come to beside 503 with Retry-After; undefined for a connection that ended without an answer. */
  ends?: number | undefined;
  /** Why this machine cannot make it. */
  skipped?: string;
  cause(): Promise<void>;
  /** What an operator does with the broken part, later; the rest goes on without. */
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
      ends: undefined, // of an idle connection that nginx closes when it is reloaded, just as a request comes
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
    ends: 502, // nginx's word for a request that the process had taken up
    cause: async () => void (await first?.end('SIGKILL')),
    heal: async () => first?.start(),
  };
}

function lostEtcdMember({ databases }: Cluster): Fault {
  let lost: DatabaseMachine | undefined;
  return {
    name: 'a member of etcd killed, that of the primary',
    cause: async () => {
      lost = await databases.primary();
      await lost.etcd.end('SIGKILL');
      await delay(12_000); // longer than the lease, which goes on
      expect((await databases.primary()).name).toBe(lost.name);
    },
    heal: async () => lost?.etcd.start(),
  };
}

function killedPrimary({ databases }: Cluster): Fault {
  let killed: DatabaseMachine | undefined;
  return {
    name: 'the machine of the primary killed (PostgreSQL, Patroni, etcd)',
    cause: async () => {
      killed = await databases.primary();
      await killed.kill();
      await becomesPrimary(databases, killed);
    },
    heal: async () => killed?.start(),
  };
}

/** PostgreSQL goes on as a primary that nobody demotes: only the rule that a commit needs a second server stops it. */
function frozenPatroni({ databases }: Cluster): Fault {
  let frozen: DatabaseMachine | undefined;
  return {
    name: 'Patroni of the primary frozen',
    cause: async () => {
      frozen = await databases.primary();
      frozen.patroni.signal('SIGSTOP');
      await becomesPrimary(databases, frozen);
      await expectNoWrite(frozen);
    },
    heal: async () => void frozen?.patroni.signal('SIGCONT'),
  };
}

function cutPrimary({ databases, cable }: Cluster): Fault {
  let cut: DatabaseMachine | undefined;
  return {
    name: 'the network of the primary cut',
    ...(cable === undefined && { skipped: 'which needs root and network namespaces' }),
    cause: async () => {
      cut = await databases.primary();
      cable?.pull(cut.address);
      const early = expectNoWrite(cut);
      await becomesPrimary(databases, cut);
      await early;
      await expectNoWrite(cut);
    },
    heal: async () => cable?.plug(cut?.address ?? 0),
  };
}

/** Waits until another server has the lease and writes: until its promotion has ended it confirms commits of the former one. */
async function becomesPrimary(databases: Cluster['databases'], before: DatabaseMachine): Promise<void> {
  const others = databases.machines.filter((machine) => machine !== before);
  const isPrimary = async ({ patroni, query }: DatabaseMachine) => {
    if ((await patroni.role()) !== 'primary') return false;
    const rows = await query<{ writes: boolean }>('SELECT NOT pg_is_in_recovery() AS writes').catch(() => []);
    return rows[0]?.writes === true;
  };
  await expect.poll(() => Promise.all(others.map(isPrimary)), { interval: 250 }).toContain(true);
}

let attempts = 0;

/** A write on that server itself is not acknowledged: refused, or waiting for a second server that does not answer. */
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
  await delay(2000); // nginx does not use it again before: its fail_timeout
}

/** First the servers that follow, then the primary, after it has handed over to the one that confirms its commits. */
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
