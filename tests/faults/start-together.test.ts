import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { loadSettings } from '../support/load.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { ask, run, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('processes that start at once on an empty database migrate it once, and all become ready', async () => {
  const postgres = await startPostgres();
  const settings = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'shared by all the processes of this test',
    ...loadSettings,
  };
  const services = await Promise.all(
    Array.from({ length: 3 }, async () => startServiceProcess(await temporaryFolder(), settings)),
  );

  const files = (await readdir(path.join(projectRoot, 'migrations'))).map((file) => path.parse(file).name).sort();
  const ran = services.flatMap(({ written }) =>
    [...written.stdout.matchAll(/"migrations":(\[[^\]]*\])/g)].flatMap(([, names = '']) => JSON.parse(names)),
  );
  expect(ran.sort()).toEqual(files);
  const recorded = await postgres.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  expect(recorded.map(({ name }) => name)).toEqual(files);

  const [first = { origin: '' }] = services;
  const token = await signIn(first.origin, 'admin', loadSettings.ADMIN_PASSWORD);
  for (const { origin } of services) {
    expect((await ask(origin, 'GET', '/readyz')).status).toBe(200);
    expect((await ask(origin, 'GET', '/api/auth/me', { token })).body.data).toMatchObject({ username: 'admin' });
  }
  expect(await postgres.query('SELECT username FROM users')).toEqual([{ username: 'admin' }]);
});

test('after kill -9 during the migrations, a waiting process completes them', async () => {
  const postgres = await startPostgres();
  const settings = { DATABASE_URL: postgres.url, ...loadSettings };
  const first = run('src/server.ts', await temporaryFolder(), settings);
  await expect
    .poll(
      () =>
        postgres.query('SELECT FROM migrations').then(
          (rows) => rows.length,
          () => 0,
        ),
      { interval: 1 },
    )
    .toBeGreaterThan(0);
  const second = startServiceProcess(await temporaryFolder(), settings);
  first.kill('SIGKILL');
  await first.ended;
  expect((await ask((await second).origin, 'GET', '/readyz')).status).toBe(200);
});
