import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import {
  expectNothingLost,
  failures,
  longestRecovery,
  responseTimeout,
  slowest,
  unavailable,
  watchBatches,
} from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('kill -9 of PostgreSQL under load: 503 until it recovers, no acknowledged write lost or duplicated', async () => {
  const postgres = await startPostgres();
  const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: postgres.url, ...loadSettings });
  const load = await startLoad(() => service.origin);
  const watch = watchBatches(load, postgres);

  await load.untilAcknowledged();
  for (let round = 0; round < 2; round += 1) {
    await postgres.kill();
    const down = Date.now();
    // Processes of the killed server may still respond for a moment.
    const latest = () => load.attempts.filter(({ at }) => at > down).slice(-20);
    await expect.poll(() => latest().map(({ status }) => status)).toEqual(Array(20).fill(503));
    await postgres.start();
    const up = Date.now();
    await load.untilAcknowledged(1);
    expect(Date.now() - up).toBeLessThan(longestRecovery);
    await load.untilAcknowledged();
  }
  await load.stop();

  expect(failures(load)).toEqual([unavailable]);
  expect(slowest(load)).toBeLessThan(responseTimeout);
  await expectNothingLost(load, postgres);
  expect(await watch()).toMatchObject({ partial: 0 });
});
