import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, failures } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('after SIGTERM under load, every accepted request succeeds and the service exits with code 0 within 15 seconds', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const start = () => startServiceProcess(folder, { DATABASE_URL: postgres.url, ...loadSettings });
  let service = await start();
  const load = await startLoad(() => service.origin, { images: true });
  await load.untilAcknowledged();

  const before = service;
  const signalledAt = Date.now();
  before.kill('SIGTERM');
  expect(await before.ended).toBe(0);
  expect(Date.now() - signalledAt).toBeLessThan(15_000);
  expect(before.written.stdout).not.toContain('request aborted');
  service = await start();
  await load.untilAcknowledged();
  await load.stop();

  // Connections that were refused, or closed before the service read from them.
  expect(failures(load)).toEqual(['cut']);
  await expectNothingLost(load, postgres);
});
