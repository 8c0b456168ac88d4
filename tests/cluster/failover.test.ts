import { expect } from 'vitest';
import { type Attempt, loadSettings, startLoad } from '../support/load.ts';
import { acknowledgedWrites, expectNothingLost, slowest, watchBatches } from '../support/load-outcome.ts';
import { ask, signIn } from '../support/service-process.ts';
import { startCluster } from './cluster.ts';
import { exactLimit } from './exact-limit.ts';
import { faults } from './faults.ts';
import { type Outage, summary, timeWithoutWrites } from './outages.ts';
import { clusterTest } from './programs.ts';

/** How often each fault is caused; the figures in docs/scaling.md come from several rounds. */
const rounds = Number(process.env['CLUSTER_ROUNDS'] ?? 1);

/**
 * The longest time in milliseconds without writes and for a response: the lease of 10 s and the recovery, while fifteen servers share
 * the processors. tests/faults holds the limit of a response with one server.
 */
const longestOutage = 60_000;

clusterTest(
  'after any failure, no acknowledged write is lost, no read is stale, and the cluster recovers unattended',
  async () => {
    const cluster = await startCluster({ RATE_LIMIT_PER_MINUTE: '1000000', ACCESS_TOKEN_TTL: '7200' });
    const processes = cluster.machines.map(({ origin }) => origin);
    const reader = await createReader(cluster.origin);
    const load = await startLoad(() => cluster.origin, { images: true, witnesses: () => processes, pace: 10 });
    const watch = watchBatches(load, cluster);
    const outages: Outage[] = [];
    const unexpected: string[] = [];

    await load.untilAcknowledged(60);
    for (const { name, skipped, cause, heal, otherStatuses = [] } of Array.from({ length: rounds }, () =>
      faults(cluster),
    ).flat()) {
      if (skipped !== undefined) {
        process.stdout.write(`${name}: skipped, ${skipped}\n`);
        continue;
      }
      const from = Date.now();
      const before = load.attempts.length;
      await cause();
      await load.untilAcknowledged(60);
      await heal();
      await cluster.databases.healthy();
      await load.untilAcknowledged(60);
      const failed = load.attempts.slice(before).filter(({ status }) => status !== 200 && status !== 201);
      const isRetryable = ({ status, wait }: Attempt) => (status === 503 && wait > 0) || otherStatuses.includes(status);
      const wrong = failed.filter((attempt) => !isRetryable(attempt));
      unexpected.push(...wrong.map(({ at, ...rest }) => `${name}, after ${at - from} ms: ${JSON.stringify(rest)}`));
      const withoutWrites = timeWithoutWrites(load.attempts, from);
      const [slow] = load.attempts.slice(before).sort((a, b) => b.took - a.took);
      process.stdout.write(
        `${name}: ${(withoutWrites / 1000).toFixed(1)} s without writes; the slowest response (${slow?.write}: ${slow?.status}) took ${((slow?.took ?? 0) / 1000).toFixed(1)} s\n`,
      );
      outages.push({ fault: name, withoutWrites, failed: failed.length });
      await exactLimit(processes, reader);
    }
    await load.stop();
    process.stdout.write(
      `${summary(outages)}${acknowledgedWrites(load)} acknowledged writes; ${load.checked.reads} reads compared with them\n`,
    );

    // The data first: on a slow machine only the times may fail.
    expect(await watch()).toMatchObject({ partial: 0 });
    await cluster.query('ANALYZE');
    await expectNothingLost(load, cluster);
    process.stdout.write('no acknowledged write is lost, and each was shown by every process\n');
    expect(unexpected).toEqual([]);
    expect(slowest(load)).toBeLessThan(longestOutage);
    for (const { withoutWrites } of outages) expect(withoutWrites).toBeLessThan(longestOutage);
  },
  1_800_000 * rounds,
);

/** The token of a user whose requests nothing else counts. */
async function createReader(origin: string): Promise<string> {
  const token = await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD);
  const reader = { username: 'reader', email: 'reader@example.org', password: 'a good password' };
  await ask(origin, 'POST', '/api/admin/users', { token, body: reader });
  return await signIn(origin, reader.username, reader.password);
}
