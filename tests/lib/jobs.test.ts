import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnavailableError } from '../../src/errors.ts';
import { startJobs } from '../../src/lib/jobs.ts';
import { createLogger } from '../../src/lib/log/logger.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a job that fails because something is unavailable is logged once until it succeeds; each other failure is', async () => {
  const [outage, failure] = [new UnavailableError(), new Error('a failure')];
  const results = [outage, outage, outage, undefined, outage, failure, failure, outage, outage];
  const logger = createLogger('silent');
  const logged = vi.spyOn(logger, 'error');
  const counted = vi.fn();
  const metrics = { jobStarted: () => undefined, jobSucceeded: () => undefined, jobFailed: counted };
  const run = async () => {
    const result = results.shift();
    if (result !== undefined) throw result;
  };
  const stop = startJobs([{ name: 'one', everySeconds: 5, run }], logger, metrics);
  while (results.length > 0) await vi.advanceTimersByTimeAsync(5_000);
  await stop();
  expect(logged.mock.calls.map(([line]) => (line as unknown as { err: unknown }).err)).toEqual([
    outage,
    outage,
    failure,
    failure,
    outage,
  ]);
  expect(counted).toHaveBeenCalledTimes(8);
});
