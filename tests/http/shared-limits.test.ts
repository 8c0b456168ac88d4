import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/lib/log/logger.ts';
import { hasRedis, startRedis } from '../support/servers/redis-server.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const perMinute = 20;
const title = (text: string) => (hasRedis ? text : `${text} (skipped: needs redis-server)`);
const redisTest = (name: string, run: () => Promise<void>) => test.skipIf(!hasRedis)(title(name), run);

let first: TestApp;
beforeEach(async () => {
  first = await startTestApp();
});
afterEach(() => first.stop());

/** Another instance on the same database, with the lines it logged about Redis. */
async function startProcess(redisUrl: string) {
  const lines: string[] = [];
  const app = await startTestApp({
    databaseUrl: first.databaseUrl,
    settings: { RATE_LIMIT_PER_MINUTE: String(perMinute), REDIS_URL: redisUrl },
    logger: createLogger('info', {
      destination: { write: (line) => void (line.includes('redis') && lines.push(line)) },
    }),
  });
  await app.container.redis?.open();
  onTestFinished(async () => {
    await app.container.redis?.close();
    await app.stop();
  });
  return { origin: app.origin, lines };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

/** Sends `each` concurrent requests of one user to each process; returns the number of responses by status. */
async function countStatuses(processes: readonly Process[], each: number, { token }: TestUser) {
  const headers = { Authorization: `Bearer ${token}` };
  const counts: Record<number, number> = {};
  const responses = processes.flatMap(({ origin }) =>
    Array.from({ length: each }, () => fetch(`${origin}/api/timer`, { headers })),
  );
  for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends requests until Redis is used again. */
async function untilRedisIsUsed(processes: readonly Process[]): Promise<void> {
  const isBack = ({ lines }: Process) => lines.at(-1)?.includes('redis available again') ?? true;
  await expect
    .poll(async () => {
      await countStatuses(processes, 1, await first.createUser());
      return processes.every(isBack);
    })
    .toBe(true);
}

redisTest('the limit of a user is exact across all processes', async () => {
  const redis = await startRedis();
  const processes = [await startProcess(redis.url), await startProcess(redis.url)];
  expect(await countStatuses(processes, perMinute, await first.createUser())).toEqual({
    200: perMinute,
    429: perMinute,
  });
  expect(processes.map(({ lines }) => lines)).toEqual([[], []]);
});

redisTest(
  'without Redis each process counts by itself and logs it once; once Redis is back, the limit is exact again',
  async () => {
    const redis = await startRedis();
    const processes = [await startProcess(redis.url), await startProcess(redis.url)];
    const user = await first.createUser();
    expect(await countStatuses(processes, perMinute / 4, user)).toEqual({ 200: perMinute / 2 });

    await redis.kill();
    // Each process has counted a quarter itself.
    expect(await countStatuses(processes, perMinute, user)).toEqual({ 200: perMinute * 1.5, 429: perMinute / 2 });
    await countStatuses(processes, 3, await first.createUser());
    for (const { lines } of processes) {
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('redis unavailable');
    }

    await redis.start();
    await untilRedisIsUsed(processes);
    expect(await countStatuses(processes, perMinute, await first.createUser())).toEqual({
      200: perMinute,
      429: perMinute,
    });
    for (const { lines } of processes) expect(lines).toHaveLength(2);
  },
);

redisTest('a Redis that does not respond fails no request and is no longer used', async () => {
  const redis = await startRedis();
  const processes = [await startProcess(redis.url), await startProcess(redis.url)];
  redis.freeze();
  const user = await first.createUser();
  expect(await countStatuses(processes, perMinute + 5, user)).toEqual({ 200: 2 * perMinute, 429: 10 });
  for (const { lines } of processes) expect(lines).toHaveLength(1);
  redis.resume();
  await untilRedisIsUsed(processes);
  expect(await countStatuses(processes, perMinute, await first.createUser())).toEqual({
    200: perMinute,
    429: perMinute,
  });
});

redisTest('a process starts without Redis and uses it once it is available', async () => {
  const redis = await startRedis();
  await redis.kill();
  const processes = [await startProcess(redis.url), await startProcess(redis.url)];
  expect(await countStatuses(processes, perMinute, await first.createUser())).toEqual({ 200: 2 * perMinute });
  await redis.start();
  await untilRedisIsUsed(processes);
  expect(await countStatuses(processes, perMinute, await first.createUser())).toEqual({
    200: perMinute,
    429: perMinute,
  });
});
