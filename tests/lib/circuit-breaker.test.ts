import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../src/lib/circuit-breaker.ts';

let time = 0;
const outage = new Error('down');
const newBreaker = () =>
  createCircuitBreaker({
    seconds: 5,
    isOutage: (error) => error === outage,
    message: 'sso_unavailable',
    now: () => time,
  });
const fail = (error: Error) => () => Promise.reject(error);
const refused = { status: 503 };

test('after an outage calls are refused at once for some seconds, then one tries again', async () => {
  const run = newBreaker();
  await expect(run(fail(outage))).rejects.toBe(outage);
  time += 4_999;
  await expect(run(async () => 1)).rejects.toMatchObject(refused);
  time += 1;
  let answer: ((value: number) => void) | undefined;
  const first = run(
    () =>
      new Promise<number>((resolve) => {
        answer = resolve;
      }),
  );
  await expect(run(async () => 2)).rejects.toMatchObject(refused);
  answer?.(3);
  expect(await first).toBe(3);
  expect(await run(async () => 4)).toBe(4);
});

test('a trial that fails begins another pause', async () => {
  const run = newBreaker();
  await expect(run(fail(outage))).rejects.toBe(outage);
  time += 5_000;
  await expect(run(fail(outage))).rejects.toBe(outage);
  await expect(run(async () => 1)).rejects.toMatchObject(refused);
  time += 5_000;
  expect(await run(async () => 2)).toBe(2);
});

test('a refusal of the service is no outage', async () => {
  const run = newBreaker();
  const refusal = new Error('invalid_grant');
  await expect(run(fail(refusal))).rejects.toBe(refusal);
  expect(await run(async () => 1)).toBe(1);
});
