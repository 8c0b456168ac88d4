import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const admin = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse battery', RATE_LIMIT_PER_MINUTE: '0' };

/** Creates projects one after the other, in four workers, until the service is gone; answers the names that got a 201. */
async function createUntilGone(origin: string, token: string, enough: () => void): Promise<string[]> {
  const [student] = [
    await ask(origin, 'POST', '/api/admin/users', { token, body: { username: 'lin', email: 'lin@example.org' } }),
  ];
  const assigned_user_ids = [Number(student.body.data?.['id'])];
  const acknowledged: string[] = [];
  const worker = async (letter: string) => {
    for (let count = 0; ; count += 1) {
      const name = `Project ${letter}${count}`;
      const answer = await ask(origin, 'POST', '/api/projects', { token, body: { name, assigned_user_ids } }).catch(
        () => undefined,
      );
      if (answer?.status !== 201) return;
      acknowledged.push(name);
      if (acknowledged.length === 40) enough();
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(worker));
  return acknowledged;
}

async function allProjectNames(origin: string, token: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { body } = await ask(origin, 'GET', `/api/projects?limit=100&page=${page}`, { token });
    const projects = body.data?.['projects'] as { name: string }[]; // the interface says so
    for (const project of projects) names.add(project.name);
    if (projects.length < 100) return names;
  }
}

test('kill -9 while projects are created: the next start comes up, and every 201 is there', async () => {
  const folder = await temporaryFolder();
  const first = await startServiceProcess(folder, admin);
  const token = await signIn(first.origin, 'admin', admin.ADMIN_PASSWORD);
  const acknowledged = await createUntilGone(first.origin, token, () => first.kill('SIGKILL'));
  await first.ended;
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);

  const second = await startServiceProcess(folder, admin);
  const found = await allProjectNames(second.origin, token);
  expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
});

test('kill -9 of the embedded database: the service exits and says so; the next start has lost nothing', async () => {
  const folder = await temporaryFolder();
  const service = await startServiceProcess(folder, admin);
  const token = await signIn(service.origin, 'admin', admin.ADMIN_PASSWORD);
  const body = { username: 'lin', email: 'lin@example.org' };
  expect((await ask(service.origin, 'POST', '/api/admin/users', { token, body })).status).toBe(201);

  const [postmaster] = (await readFile(path.join(folder, 'data/postgres/data/postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  expect(await service.ended).toBe(1);
  expect(service.written.stderr).toMatch(/^The embedded PostgreSQL has exited; see .*server\.log\.$/m);

  const again = await startServiceProcess(folder, admin);
  expect((await ask(again.origin, 'GET', '/api/admin/users?search=lin', { token })).body.data).toMatchObject({
    users: [{ username: 'lin' }],
  });
});
