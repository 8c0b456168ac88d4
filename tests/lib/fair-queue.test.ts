import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createFairQueue } from '../../src/lib/fair-queue.ts';
import { RateLimitedError, UnavailableError } from '../../src/texts/errors.ts';

const options = { slots: 1, perCaller: 1, waitingPerCaller: 100, waitSeconds: 10 };

/** A job that ends when `finish` is called. */
function createJob() {
  const ending = new EventEmitter();
  return { run: async () => void (await once(ending, 'end')), finish: () => ending.emit('end') };
}

test('never runs more jobs than it has slots, or more jobs of one caller than allowed', async () => {
  const queue = createFairQueue({ ...options, slots: 3, perCaller: 2 });
  let most = 0;
  const ofCaller = new Map<string, number>();
  let mostOfCaller = 0;
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const caller = `caller ${index % 4}`;
      return queue.run(caller, async () => {
        const mine = (ofCaller.get(caller) ?? 0) + 1;
        ofCaller.set(caller, mine);
        most = Math.max(most, queue.load().running);
        mostOfCaller = Math.max(mostOfCaller, mine);
        for (let turn = 0; turn <= index % 3; turn += 1) await setImmediate();
        ofCaller.set(caller, (ofCaller.get(caller) ?? 0) - 1);
      });
    }),
  );
  expect(most).toBe(3);
  expect(mostOfCaller).toBe(2);
  expect(queue.load()).toEqual({ running: 0, waiting: 0, callers: 0 });
});

test('a caller with many waiting jobs delays another caller by only one job', async () => {
  const queue = createFairQueue(options);
  const order: string[] = [];
  const run = (caller: string) => queue.run(caller, async () => void order.push(caller));
  await Promise.all([...Array.from({ length: 20 }, () => run('busy')), run('other')]);
  expect(order.indexOf('other')).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(21);
});

test('jobs of one caller run in order; a failed job frees its slot', async () => {
  const queue = createFairQueue(options);
  const order: number[] = [];
  const failing = queue.run('a', () => Promise.reject(new Error('broken')));
  const jobs = [1, 2, 3].map((number) => queue.run('a', async () => void order.push(number)));
  await expect(failing).rejects.toThrow('broken');
  await Promise.all(jobs);
  expect(order).toEqual([1, 2, 3]);
});

test('a job beyond the waiting limit is rejected with 429, for that caller only', async () => {
  const queue = createFairQueue({ ...options, waitingPerCaller: 2 });
  const job = createJob();
  const running = queue.run('a', job.run);
  const waiting = [queue.run('a', async () => 1), queue.run('a', async () => 2)];
  await expect(queue.run('a', async () => 3)).rejects.toBeInstanceOf(RateLimitedError);
  const other = queue.run('b', async () => 4);
  job.finish();
  await running;
  expect(await Promise.all([...waiting, other])).toEqual([1, 2, 4]);
});

test('a job that waits too long is rejected with 503 and never starts', async () => {
  vi.useFakeTimers();
  try {
    const queue = createFairQueue(options);
    const job = createJob();
    const running = queue.run('a', job.run);
    const late = vi.fn();
    const waiting = expect(queue.run('b', late)).rejects.toBeInstanceOf(UnavailableError);
    await vi.advanceTimersByTimeAsync(10_000);
    await waiting;
    job.finish();
    await running;
    expect(late).not.toHaveBeenCalled();
    expect(queue.load()).toEqual({ running: 0, waiting: 0, callers: 0 });
  } finally {
    vi.useRealTimers();
  }
});

test('an aborted wait frees its place', async () => {
  const queue = createFairQueue(options);
  const job = createJob();
  const running = queue.run('a', job.run);
  const abort = new AbortController();
  const late = vi.fn();
  const waiting = expect(queue.run('b', late, () => abort.signal)).rejects.toBeInstanceOf(UnavailableError);
  abort.abort();
  await waiting;
  job.finish();
  await running;
  expect(late).not.toHaveBeenCalled();
});
