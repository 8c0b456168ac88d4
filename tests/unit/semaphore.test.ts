import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.ts';

test('runs no more jobs at once than it may, in the order they came, and all of them', async () => {
  const semaphore = createSemaphore(3);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 50 }, (_, index) =>
    semaphore.run(async () => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn <= index % 4; turn += 1) await setImmediate();
      running -= 1;
      return index;
    }),
  );
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  expect(await Promise.all(jobs)).toEqual(numbers);
  expect(started).toEqual(numbers);
  expect(most).toBe(3);
});

test('a job that fails gives its place back and hands its failure on', async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('broken')));
  const next = semaphore.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('a newcomer does not overtake those who wait', async () => {
  const semaphore = createSemaphore(1);
  const order: string[] = [];
  const run = (name: string) => semaphore.run(async () => void order.push(name));
  const first = run('first').then(() => run('newcomer'));
  await Promise.all([first, run('second'), run('third')]);
  expect(order).toEqual(['first', 'second', 'third', 'newcomer']);
});
