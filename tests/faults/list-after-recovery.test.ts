import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadSettings } from '../support/load.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('after a point-in-time recovery, no cached list is from the discarded time', async () => {
  const postgres = await startPostgres();
  const { data } = postgres.cluster;
  const { origin } = await startServiceProcess(await temporaryFolder(), {
    DATABASE_URL: postgres.url,
    ...loadSettings,
  });
  const admin = await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD);
  const lin = { username: 'lin', email: 'lin@example.org', password: 'a good password' };
  await ask(origin, 'POST', '/api/admin/users', { token: admin, body: lin });
  const token = await signIn(origin, lin.username, lin.password);
  const created = await ask(origin, 'POST', '/api/projects', { token, body: { name: 'First' } });
  const path = `/api/projects/${created.body.data?.['id']}`;
  const change = async (status: string) => (await ask(origin, 'PUT', path, { token, body: { status } })).status;
  const completed = async () =>
    (await ask(origin, 'GET', '/api/projects?status=completed', { token })).body.data?.['projects'];

  await postgres.stop();
  execFileSync('cp', ['-a', data, `${data}.earlier`]);
  await postgres.start();
  await expect.poll(() => change('paused')).toBe(200);
  expect(await completed()).toEqual([]);

  await postgres.stop();
  await rm(data, { recursive: true });
  execFileSync('mv', [`${data}.earlier`, data]);
  await postgres.start();
  await expect.poll(() => change('completed')).toBe(200);
  expect(await completed()).toMatchObject([{ name: 'First' }]);
});
