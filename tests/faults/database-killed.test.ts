import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import {
  expectNothingLost,
  longestRecovery,
  patience,
  refusals,
  slowest,
  unavailable,
  watchBatches,
} from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('kill -9 of PostgreSQL under load: 503 meanwhile, recovery by itself, nothing answered is lost or doubled', async () => {
  const postgres = await startPostgres();
  const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: postgres.url, ...loadSettings });
  const load = await startLoad(() => service.origin);
  const halves = watchBatches(load, postgres);

  await load.flows();
  for (let round = 0; round < 2; round += 1) {
    await postgres.kill();
    const down = Date.now();
    // Processes of the killed server may answer for a moment.
    const latest = () => load.tries.filter(({ at }) => at > down).slice(-20);
    await expect.poll(() => latest().map(({ status }) => status)).toEqual(Array(20).fill(503));
    await postgres.start();
    const up = Date.now();
    await load.flows(1);
    expect(Date.now() - up).toBeLessThan(longestRecovery);
    await load.flows();
  }
  await load.stop();

  expect(refusals(load)).toEqual([unavailable]);
  expect(slowest(load)).toBeLessThan(patience);
  await expectNothingLost(load, postgres);
  expect(await halves()).toMatchObject({ halves: 0 });
});
