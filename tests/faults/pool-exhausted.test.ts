import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, failures, responseTimeout, slowest, unavailable } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { ask, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

async function start() {
  const postgres = await startPostgres();
  const proxy = await startTcpProxy(postgres.url);
  onTestFinished(proxy.stop);
  const settings = { DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: '2', ...loadSettings };
  const service = await startServiceProcess(await temporaryFolder(), settings);
  const load = await startLoad(() => service.origin);
  await load.untilAcknowledged();
  const holder = new pg.Client(postgres.url);
  await holder.connect();
  onTestFinished(() => holder.end());
  return { postgres, proxy, service, load, holder };
}

test.each([
  ['waits for a lock', 'lock'],
  ['gets no packets through', 'silence'],
])('when every connection of the pool %s, requests get 503 in time and succeed afterwards', async (_what, how) => {
  const { postgres, proxy, service, load, holder } = await start();

  if (how === 'lock') await holder.query('BEGIN; LOCK TABLE projects');
  else proxy.hold();
  const since = Date.now();
  const rejected = () => load.attempts.filter(({ at, status }) => at > since && status === 503);
  await expect.poll(() => rejected().length).toBeGreaterThan(6);
  expect((await ask(service.origin, 'GET', '/healthz')).status).toBe(200);
  await holder.query('ROLLBACK');
  proxy.release();

  await load.untilAcknowledged();
  await load.stop();
  expect(failures(load)).toEqual([unavailable]);
  expect(slowest(load)).toBeLessThan(responseTimeout);
  await expectNothingLost(load, postgres);
});
