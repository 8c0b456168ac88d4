import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const mode = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('starts print a set-up link until it was used; later ones print only the address', async () => {
  const folder = await temporaryFolder();
  const unused = await startServiceProcess(folder);
  const stale = await unused.seen(/\/setup#token=(\S+)/);
  expect((await fetch(`${unused.origin}/docs`)).status).toBe(200);
  unused.kill('SIGHUP');
  expect([await unused.ended, unused.written.stderr]).toEqual([0, '']);
  expect(await mode(path.join(folder, 'data'))).toBe('700');
  expect(await mode(path.join(folder, 'data/jwt-secret'))).toBe('600');

  const first = await startServiceProcess(folder);
  const token = await first.seen(/\/setup#token=(\S+)\n/);
  expect(token).not.toBe(stale);
  const body = { token, username: 'lin', email: 'lin@example.org', password: 'a good password' };
  expect((await ask(first.origin, 'POST', '/api/setup', { body })).status).toBe(200);
  expect((await ask(first.origin, 'POST', '/api/setup', { body })).status).toBe(400);
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = await startServiceProcess(folder);
  await second.seen(/API reference .*\n/);
  expect(second.written.stdout).not.toContain('/setup');
  await signIn(second.origin, 'lin', 'a good password');
});

test('two first starts at once on one data folder become two processes of one service', async () => {
  const folder = await temporaryFolder();
  const services = await Promise.all([startServiceProcess(folder), startServiceProcess(folder)]);
  const [a, b] = services;
  const token = await a.seen(/\/setup#token=(\S+)\n/);
  const account = { username: 'admin', email: 'admin@example.org', password: 'a good password' };
  expect((await ask(b.origin, 'POST', '/api/setup', { body: { token, ...account } })).status).toBe(200);
  const signedIn = await signIn(a.origin, 'admin', 'a good password');

  // The embedded server keeps running until its last process stops.
  a.kill('SIGTERM');
  expect(await a.ended).toBe(0);
  await expect.poll(async () => (await ask(b.origin, 'GET', '/readyz')).status).toBe(200);
  expect((await ask(b.origin, 'GET', '/api/auth/me', { token: signedIn })).status).toBe(200);
});

test('the settings may describe the first administrator; then no link is printed', async () => {
  const folder = await temporaryFolder();
  const settings = {
    ADMIN_USERNAME: 'root.lin',
    ADMIN_EMAIL: 'lin@example.org',
    ADMIN_PASSWORD: 'correct horse battery',
  };
  const service = await startServiceProcess(folder, settings);
  await service.seen(/API reference/);
  expect(service.written.stdout).not.toMatch(/correct horse|setup/);
  await signIn(service.origin, 'root.lin', 'correct horse battery');
  service.kill('SIGTERM');
  expect([await service.ended, service.written.stdout]).toEqual([0, expect.not.stringContaining('ADMIN_PASSWORD')]);

  const changed = await startServiceProcess(folder, { ...settings, ADMIN_PASSWORD: 'another good password' });
  expect(changed.written.stdout).toContain('ADMIN_PASSWORD is ignored');
});

test('npm start, as the README says it; a signal to npm reaches the service', async () => {
  const folder = await temporaryFolder();
  const npm = spawn('npm', ['start'], {
    cwd: projectRoot,
    // Empty settings: a .env of the checkout must not be taken.
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      DATA_DIR: path.join(folder, 'data'),
      UPLOADS_DIR: path.join(folder, 'uploads'),
      PORT: '0',
      DATABASE_URL: '',
      WEB_CONCURRENCY: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npm, 'exit');
  let output = '';
  for await (const text of npm.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes('/setup#token=')) npm.kill('SIGTERM');
  }
  expect(output).toContain('"stopped"');
  expect(await ended).toEqual([0, null]);
});
