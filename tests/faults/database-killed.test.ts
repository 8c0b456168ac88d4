import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, refusals, slowest, unavailable, watchBatches } from '../support/load-outcome.ts';
import { startPostgres } from '../support/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('kill -9 of PostgreSQL under load: 503 meanwhile, recovery by itself, nothing answered is lost or doubled', async () => {
  const postgres = await startPostgres();
  const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: postgres.url, ...loadSettings });
  const load = await startLoad(() => service.origin);
  const halves = watchBatches(load, postgres);

  for (let round = 0; round < 2; round += 1) {
    await load.flows();
    await postgres.kill();
    const down = Date.now();
    await delay(2_000);
    const meanwhile = load.tries.filter(({ at }) => at > down + 200);
    expect(meanwhile.length).toBeGreaterThan(20);
    expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([503]));
    await postgres.start();
    const up = Date.now();
    await load.flows(1);
    expect(Date.now() - up).toBeLessThan(30_000);
  }
  await load.flows();
  await load.stop();

  expect(refusals(load)).toEqual([unavailable]);
  expect(slowest(load)).toBeLessThan(15_000);
  await expectNothingLost(load, postgres);
  expect(await halves()).toMatchObject({ halves: 0 });
});
