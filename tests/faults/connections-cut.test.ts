import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import {
  expectNothingLost,
  failures,
  responseTimeout,
  slowest,
  unavailable,
  watchBatches,
} from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test.each([
  ['by the server', 'terminate'],
  ['by the network, so that the outcome of a commit is unknown', 'cut'],
])(
  'connections closed %s under load: only 503s, no partial batch, no acknowledged write lost or duplicated',
  async (_by, way) => {
    const postgres = await startPostgres();
    const proxy = await startTcpProxy(postgres.url);
    const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: proxy.url, ...loadSettings });
    const load = await startLoad(() => service.origin);
    const watch = watchBatches(load, postgres);

    await load.untilAcknowledged();
    for (let round = 0; round < 20 || failures(load).length === 0; round += 1) {
      if (way === 'cut') proxy.cut();
      else
        await postgres.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'studytrack'`,
        );
      await delay(150);
    }
    await load.untilAcknowledged(60);
    await load.stop();

    expect(failures(load)).toEqual([unavailable]);
    expect(slowest(load)).toBeLessThan(responseTimeout);
    await expectNothingLost(load, postgres);
    expect(await watch()).toMatchObject({ partial: 0 });
    await proxy.stop();
  },
);
