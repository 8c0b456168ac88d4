import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { startLoad } from '../support/load.ts';
import { expectNothingLost, longestRecovery, patience, slowest, watchBatches } from '../support/load-outcome.ts';
import { clusterTest, startCluster } from './cluster.ts';

clusterTest('a process dies, then the database: nothing answered is lost, and nobody sees an old state', async () => {
  const { origin, services, primary, standby, bouncer } = await startCluster();
  const load = await startLoad(() => origin, {
    images: true,
    witnesses: () => services.map((service) => service.origin),
  });
  let database = primary;
  const watch = watchBatches(load, { query: (text) => database.query(text) });

  await load.flows(60);
  services[0]?.kill('SIGKILL');
  await services[0]?.ended;
  await load.flows(60);

  // The standby misses the last moment of the primary: what was not confirmed by it must not have been answered either.
  await standby.stop();
  await delay(500);
  await primary.kill();
  await standby.start();
  await standby.query('SELECT pg_promote()');
  await bouncer.repoint(standby);
  database = standby;
  const takenOver = Date.now();
  await load.flows(1);
  expect(Date.now() - takenOver).toBeLessThan(longestRecovery);
  await load.flows(60);
  await load.stop();

  const refused = load.tries.filter(({ status }) => status !== 200 && status !== 201);
  // 502 is nginx's word for a request that the killed process had taken up.
  expect(refused.filter(({ status, wait }) => status !== 502 && !(status === 503 && wait > 0))).toEqual([]);
  expect(slowest(load)).toBeLessThan(patience);
  await expectNothingLost(load, standby);
  expect(await watch()).toMatchObject({ halves: 0 });
});

clusterTest('a process that is restarted in order is missed by nobody', async () => {
  const { origin, services, primary } = await startCluster();
  const load = await startLoad(() => origin, { witnesses: () => services.map((service) => service.origin) });
  await load.flows(60);
  services[0]?.kill('SIGTERM');
  expect(await services[0]?.ended).toBe(0);
  await load.flows(60);
  await load.stop();
  expect(load.tries.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  await expectNothingLost(load, primary);
});
