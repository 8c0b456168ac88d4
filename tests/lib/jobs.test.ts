import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startJobs } from '../../src/lib/jobs.ts';
import { createLogger } from '../../src/lib/log/logger.ts';
import { UnavailableError } from '../../src/texts/errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('of the failures of each job in an outage the first is logged, then one per minute with the number of the others; other failures always', async () => {
  const [outage, failure] = [new UnavailableError(), new Error('a failure')];
  const logger = createLogger('silent');
  const logged = vi.spyOn(logger, 'error');
  const counted = vi.fn();
  const metrics = { jobStarted: () => undefined, jobSucceeded: () => undefined, jobFailed: counted };
  let error: Error | undefined = outage;
  const run = async () => {
    if (error !== undefined) throw error;
  };
  const jobs = ['one', 'two'].map((name) => ({ name, everySeconds: 5, run }));
  const stop = startJobs(jobs, logger, metrics);
  await vi.advanceTimersByTimeAsync(122_000);
  error = failure;
  await vi.advanceTimersByTimeAsync(5_000);
  error = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  await stop();
  expect(logged.mock.calls.map(([line]) => line)).toEqual([
    { err: outage, job: 'one' },
    { err: outage, job: 'two' },
    { err: outage, job: 'one', others: 11 },
    { err: outage, job: 'two', others: 11 },
    { err: outage, job: 'one', others: 11 },
    { err: outage, job: 'two', others: 11 },
    { err: failure, job: 'one' },
    { err: failure, job: 'two' },
  ]);
  expect(counted).toHaveBeenCalledTimes(52);
});
