import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { ask, type ServiceProcess, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

/** Those that were ever said to serve, the oldest first. */
function workersOf({ written }: ServiceProcess): number[] {
  return [...written.stdout.matchAll(/"worker":(\d+),"msg":"worker listening"/g)].map(([, pid]) => Number(pid));
}

test('WEB_CONCURRENCY: several workers serve one port, a dead one is replaced, SIGTERM ends them all', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const folder = await temporaryFolder();
  const service = await startServiceProcess(folder, {
    DATABASE_URL: database.url,
    WEB_CONCURRENCY: '2',
    ADMIN_PASSWORD: 'correct horse battery',
  });
  const token = await signIn(service.origin, 'admin', 'correct horse battery');
  const me = () => ask(service.origin, 'GET', '/api/auth/me', { token });
  const [victim = 0, survivor = 0, ...others] = workersOf(service);
  expect(others).toEqual([]);

  process.kill(victim, 'SIGKILL');
  await service.seen(new RegExp(`"worker":${victim},.*worker exited`));
  expect((await me()).status).toBe(200);
  await expect.poll(() => workersOf(service), { timeout: 30_000 }).toHaveLength(3);
  expect(alive(survivor)).toBe(true);
  const answers = await Promise.all(Array.from({ length: 20 }, me));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(workersOf(service).filter(alive)).toEqual([]);
}, 120_000);

test('workers do not outlive the process above them', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const service = await startServiceProcess(await temporaryFolder(), {
    DATABASE_URL: database.url,
    WEB_CONCURRENCY: '2',
  });
  expect(workersOf(service).filter(alive)).toHaveLength(2);
  service.kill('SIGKILL');
  await service.ended;
  await expect.poll(() => workersOf(service).filter(alive), { timeout: 10_000 }).toEqual([]);
}, 120_000);

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
