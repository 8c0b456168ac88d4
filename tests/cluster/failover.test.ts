import { expect } from 'vitest';
import { checkHistory } from '../support/history/check-history.ts';
import { startLoad, type Try } from '../support/load.ts';
import { acknowledgedWrites, expectNothingLost, patience, slowest, watchBatches } from '../support/load-outcome.ts';
import { startCluster } from './cluster.ts';
import { exactLimit } from './exact-limit.ts';
import { faults } from './faults.ts';
import { startHistoryClients } from './history-clients.ts';
import { type Outage, summary, timeWithoutWrites } from './outages.ts';
import { clusterTest } from './programs.ts';

/** How often each fault is made; the figures of docs/scaling.md are of several. */
const rounds = Number(process.env['CLUSTER_ROUNDS'] ?? 1);

/** Milliseconds without writes after which something is wrong: the lease of 10 s, the recovery, and a loaded machine. */
const longestOutage = 60_000;

clusterTest(
  'whatever fails, nothing acknowledged is lost, nobody sees an old state, and no hand is needed',
  async () => {
    const cluster = await startCluster({ RATE_LIMIT_PER_MINUTE: '1000000', ACCESS_TOKEN_TTL: '7200' });
    const processes = cluster.machines.map(({ origin }) => origin);
    const clients = await startHistoryClients(cluster.origin, processes);
    const load = await startLoad(() => cluster.origin, { images: true, witnesses: () => processes, pace: 10 });
    const watch = watchBatches(load, cluster);
    const outages: Outage[] = [];
    const unexpected: string[] = [];

    await load.flows(60);
    for (const { name, skipped, cause, heal, ...fault } of Array.from({ length: rounds }, () =>
      faults(cluster),
    ).flat()) {
      if (skipped !== undefined) {
        process.stdout.write(`${name}: left out, ${skipped}\n`);
        continue;
      }
      const from = Date.now();
      const tried = load.tries.length;
      await cause();
      await load.flows(60);
      await heal();
      await cluster.databases.healthy();
      await load.flows(60);
      const refused = load.tries.slice(tried).filter(({ status }) => status !== 200 && status !== 201);
      const isToRepeat = ({ status, wait }: Try) =>
        (status === 503 && wait > 0) || ('ends' in fault && status === fault.ends);
      const wrong = refused.filter((one) => !isToRepeat(one));
      unexpected.push(...wrong.map(({ at, ...rest }) => `${name}, after ${at - from} ms: ${JSON.stringify(rest)}`));
      const withoutWrites = timeWithoutWrites(load.tries, from);
      process.stdout.write(`${name}: ${(withoutWrites / 1000).toFixed(1)} s without writes\n`);
      outages.push({ fault: name, withoutWrites, refused: refused.length });
      await exactLimit(processes, clients.member.token);
    }
    await Promise.all([load.stop(), clients.stop()]);
    const operations = [...clients.history.registers.values()];
    const logged = operations.flat().filter(({ outcome }) => outcome === 'done');
    const reads = logged.filter(({ kind }) => kind === 'read').length;
    process.stdout.write(
      `${summary(outages)}${acknowledgedWrites(load) + logged.length - reads} acknowledged writes; ` +
        `${load.checked.reads + reads} reads to compare with them\n`,
    );

    // The data first: a slow machine that fails the times says nothing about it.
    expect(await watch()).toMatchObject({ halves: 0 });
    await cluster.query('ANALYZE');
    await expectNothingLost(load, cluster);
    expect(checkHistory(clients.history)).toEqual([]);
    expect(Math.min(...operations.map(({ length }) => length))).toBeGreaterThan(100); // of each register
    process.stdout.write('nothing acknowledged is lost; each read found the latest write\n');
    expect(unexpected).toEqual([]);
    expect(slowest(load)).toBeLessThan(patience);
    for (const { withoutWrites } of outages) expect(withoutWrites).toBeLessThan(longestOutage);
  },
  1_800_000 * rounds,
);
