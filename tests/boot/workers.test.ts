import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import {
  ask,
  run,
  type ServiceProcess,
  signIn,
  startServiceProcess,
  temporaryFolder,
} from '../support/service-process.ts';

/** Every worker that has served, the oldest first. */
function workersOf({ written }: Pick<ServiceProcess, 'written'>): number[] {
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
  await expect.poll(() => workersOf(service)).toHaveLength(3);
  expect(alive(survivor)).toBe(true);
  const answers = await Promise.all(Array.from({ length: 20 }, me));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(workersOf(service).filter(alive)).toEqual([]);
});

test('/metrics of several workers: one consistent response, whichever worker is asked', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const service = await startServiceProcess(await temporaryFolder(), {
    DATABASE_URL: database.url,
    WEB_CONCURRENCY: '2',
  });
  for (let count = 0; count < 20; count += 1)
    await fetch(`${service.origin}/api/projects`, { headers: { Connection: 'close' } });
  const scrapes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const response = await fetch(`${service.origin}/metrics`, { headers: { Connection: 'close' } });
      return response.text();
    }),
  );
  const responding = () =>
    new Set([...service.written.stdout.matchAll(/"worker":(\d+),"request"/g)].map(([, pid]) => pid)).size;
  await expect.poll(responding).toBe(2);
  for (const text of scrapes) {
    expect(text).toContain('http_requests_refused_total{reason="unauthorized"} 20');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/projects",status="401"} 20');
    expect(text).toMatch(/^database_up 1$/m);
    expect(text).toMatch(/^job_last_success_timestamp_seconds\{job="check the database"\} 1\d{9}/m);
  }
});

test.each([
  ['2', /"msg":"starting"/],
  ['2', /worker listening/],
  ['1', /"msg":"starting"/],
])('SIGTERM while %s processes start, after %s: exit code 0', async (processes, moment) => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const settings = { DATABASE_URL: database.url, WEB_CONCURRENCY: processes, LOG_LEVEL: 'debug' };
  const service = run('src/server.ts', await temporaryFolder(), settings);
  await service.seen(moment);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.written.stderr).toBe('');
  expect(workersOf(service).filter(alive)).toEqual([]);
});

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
  await expect.poll(() => workersOf(service).filter(alive)).toEqual([]);
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
