import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const mode = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('a first start prints the first steps, word for word; later ones print only the address', async () => {
  const folder = await temporaryFolder();
  const first = await startServiceProcess(folder);
  const password = await first.seen(/Password {2,}(\S+)/);
  await first.seen(/# 5\. [^\n]+\n[^\n]+\n/);
  expect(first.written.stdout).toContain(`Studytrack is ready    ${first.origin}\n`);
  expect((await fetch(`${first.origin}/docs`)).status).toBe(200);

  const kept = path.join(folder, 'data');
  expect(await readFile(path.join(kept, 'first-admin-password'), 'utf8')).toBe(`${password}\n`);
  expect(await mode(kept)).toBe('700');
  expect(await mode(path.join(kept, 'first-admin-password'))).toBe('600');
  expect(await mode(path.join(kept, 'jwt-secret'))).toBe('600');

  const [, after = ''] = first.written.stdout.split('Try it in another terminal:');
  const [steps = ''] = after.split(/^\{/m); // the next line of the log
  const { stdout } = await promisify(execFile)('sh', ['-euc', steps]);
  const [assigned, listed] = stdout.split('\n', 2).map((text) => JSON.parse(text));
  expect(assigned).toMatchObject({ success: true, data: { assigned_count: 1, failed_count: 0 } });
  expect(listed.data.projects).toMatchObject([{ name: 'Linear algebra', target_hours: 40, status: 'active' }]);

  const token = await signIn(first.origin, 'admin', password);
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(first.written.stderr).toBe('');

  const second = await startServiceProcess(folder);
  await second.seen(/API reference .*\n/);
  expect(second.written.stdout).not.toContain(password);
  expect(second.written.stdout).not.toContain('Try it');
  expect((await ask(second.origin, 'GET', '/api/auth/me', { token })).body.data).toMatchObject({ username: 'admin' });
  expect((await ask(second.origin, 'GET', '/api/projects', { token })).body.data).toMatchObject({
    pagination: { total: 1 },
  });
});

test('two first starts at once on one data folder become two processes of one service', async () => {
  const folder = await temporaryFolder();
  const services = await Promise.all([startServiceProcess(folder), startServiceProcess(folder)]);
  await Promise.all(services.map((service) => service.seen(/API reference/)));
  await Promise.any(services.map((service) => service.seen(/First administrator/)));

  const [a, b] = services;
  const password = (await readFile(path.join(folder, 'data/first-admin-password'), 'utf8')).trim();
  const token = await signIn(a.origin, 'admin', password);
  expect((await ask(b.origin, 'GET', '/api/auth/me', { token })).status).toBe(200);

  // The embedded server keeps running until its last process stops.
  a.kill('SIGTERM');
  expect(await a.ended).toBe(0);
  await expect.poll(async () => (await ask(b.origin, 'GET', '/readyz')).status).toBe(200);
  expect((await ask(b.origin, 'GET', '/api/auth/me', { token })).status).toBe(200);
  // By now both have long said all they say at their start.
  expect(services.filter((service) => service.written.stdout.includes('First administrator'))).toHaveLength(1);
});

test('the first administrator may be named by the settings; then nothing is shown or kept', async () => {
  const folder = await temporaryFolder();
  const settings = {
    ADMIN_USERNAME: 'root.lin',
    ADMIN_EMAIL: 'lin@example.org',
    ADMIN_PASSWORD: 'correct horse battery',
  };
  const service = await startServiceProcess(folder, settings);
  await service.seen(/API reference/);
  expect(service.written.stdout).not.toContain('correct horse');
  expect(service.written.stdout).not.toContain('Password');
  await expect(stat(path.join(folder, 'data/first-admin-password'))).rejects.toThrow('ENOENT');
  await signIn(service.origin, 'root.lin', 'correct horse battery');
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
    if (output.includes('# 5. List')) npm.kill('SIGTERM');
  }
  expect(output).toContain('"stopped"');
  expect(await ended).toEqual([0, null]);
});
