import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, refusals } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('SIGTERM under load: every accepted request is answered with success; exit code 0 within 15 seconds', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const start = () => startServiceProcess(folder, { DATABASE_URL: postgres.url, ...loadSettings });
  let service = await start();
  const load = await startLoad(() => service.origin, { images: true });
  await load.flows();

  const before = service;
  const asked = Date.now();
  before.kill('SIGTERM');
  expect(await before.ended).toBe(0);
  expect(Date.now() - asked).toBeLessThan(15_000);
  expect(before.written.stdout).not.toContain('request aborted');
  service = await start();
  await load.flows();
  await load.stop();

  // A connection that is refused, or closed before the service read from it, was never taken up.
  expect(refusals(load)).toEqual(['cut']);
  await expectNothingLost(load, postgres);
});
