import { expect, test } from 'vitest';
import { createQueueWorkers } from '../../../../src/features/operations/background-work/background-worker.ts';

/** Jobs by queue; the test decides when each ends. */
function createWork(waiting: Record<string, string[]>) {
  const running = new Map<string, (ran: 'done' | 'failed') => void>();
  const runNext = async (queue = '') => {
    const job = waiting[queue]?.shift();
    return job === undefined ? undefined : new Promise<'done' | 'failed'>((resolve) => running.set(job, resolve));
  };
  return {
    workers: createQueueWorkers({ runNext }),
    running: () => [...running.keys()],
    async end(job: string, outcome: 'done' | 'failed' = 'done') {
      running.get(job)?.(outcome);
      running.delete(job);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a slow job blocks neither other jobs of its queue nor other queues', async () => {
  const { workers, running, end } = createWork({ a: ['long', 'a2', 'a3'], b: ['b1'] });
  const shares = [
    { queue: 'a', concurrency: 2 },
    { queue: 'b', concurrency: 1 },
  ];
  workers.start(shares);
  expect(running()).toEqual(['long', 'a2', 'b1']);
  workers.start(shares);
  expect(running()).toEqual(['long', 'a2', 'b1']); // no more than its limit
  await end('a2');
  expect(running()).toEqual(['long', 'b1', 'a3']);
});

test('a failure ends a worker until the next run; stop() waits for running jobs and starts no others', async () => {
  const { workers, running, end } = createWork({ a: ['a1', 'a2', 'a3'] });
  workers.start([{ queue: 'a', concurrency: 1 }]);
  await end('a1', 'failed');
  expect(running()).toEqual([]);
  workers.start([{ queue: 'a', concurrency: 1 }]);
  let isStopped = false;
  const stopped = workers.stop().then(() => {
    isStopped = true;
  });
  await Promise.resolve();
  expect([running(), isStopped]).toEqual([['a2'], false]);
  await end('a2');
  await stopped;
  expect(running()).toEqual([]);
});

test('an error that ends a worker is thrown by the next run', async () => {
  const workers = createQueueWorkers({ runNext: () => Promise.reject(new Error('no database')) });
  workers.start([{ queue: '', concurrency: 1 }]);
  await workers.stop();
  expect(() => workers.start([])).toThrow('no database');
  expect(() => workers.start([])).not.toThrow();
});
