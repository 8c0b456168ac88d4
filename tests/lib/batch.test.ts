import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatch } from '../../src/lib/batch.ts';

/** A batch whose calls are finished by the test, with what each of them received. */
function held(options: { maxActive?: number; maxSize?: number } = {}) {
  const calls: { inputs: readonly number[]; finish: (error?: Error) => void }[] = [];
  const double = createBatch(
    (inputs: readonly number[]) =>
      new Promise<number[]>((resolve, reject) => {
        const finish = (error?: Error) => (error === undefined ? resolve(inputs.map((one) => one * 2)) : reject(error));
        calls.push({ inputs, finish });
      }),
    { ...options, isShared: (error) => error instanceof RangeError },
  );
  return { double, calls };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

test('inputs that arrive together run in one call, and each gets its output', async () => {
  const { double, calls } = held();
  const results = [1, 2, 3].map(double);
  await turns();
  expect(calls.map(({ inputs }) => inputs)).toEqual([[1, 2, 3]]);
  calls[0]?.finish();
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
});

test.each([
  ['up to the size of a call', 3, [1, 2, 3], [4, 5, 6]],
  ['for four turns of the event loop', 64, [1, 2, 3, 4, 5], [6]],
])('inputs that keep arriving travel together, %s', async (_, maxSize, ...expected) => {
  const { double, calls } = held({ maxSize });
  for (let input = 1; input <= 6; input += 1) {
    const next = setImmediate(); // before that of the batch, as what arrives from the network
    void double(input);
    await next;
  }
  await turns();
  expect(calls.map(({ inputs }) => inputs)).toEqual(expected);
});

test('inputs that arrive while the calls are busy wait for the next one, of limited size', async () => {
  const { double, calls } = held({ maxActive: 1, maxSize: 2 });
  const results = [double(1)];
  await turns();
  results.push(...[2, 3, 4].map(double));
  await turns();
  expect(calls.map(({ inputs }) => inputs)).toEqual([[1]]);
  for (let call = 0; call < 3; call += 1) {
    calls[call]?.finish();
    await turns();
  }
  expect(calls.map(({ inputs }) => inputs)).toEqual([[1], [2, 3], [4]]);
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8]);
});

test('after an error each input runs again alone, so that one does not fail the others', async () => {
  const run = async (inputs: readonly number[]) => {
    if (inputs.includes(2)) throw new Error('two');
    return inputs;
  };
  const batch = createBatch(run, { isShared: () => false });
  const results = await Promise.allSettled([1, 2, 3].map(batch));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('inputs of a failed call run again a few at a time', async () => {
  const running = { now: 0, most: 0 };
  const run = async (inputs: readonly number[]) => {
    if (inputs.length > 1) throw new Error('one of them');
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    await turns();
    running.now -= 1;
    return inputs;
  };
  const batch = createBatch(run, { isShared: () => false });
  const inputs = Array.from({ length: 20 }, (_, index) => index);
  expect(await Promise.all(inputs.map(batch))).toEqual(inputs);
  expect(running.most).toBe(4);
});

test('an error that concerns all inputs also rejects those that wait', async () => {
  const { double, calls } = held({ maxActive: 1 });
  const first = double(1);
  await turns();
  const second = double(2);
  calls[0]?.finish(new RangeError('unavailable'));
  expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toHaveLength(1);
  const third = double(3);
  await turns();
  calls[1]?.finish();
  expect(await third).toBe(6);
});

test('a call with another number of outputs rejects its inputs', async () => {
  const batch = createBatch(async () => [1, 2, 3], { isShared: () => false });
  await expect(batch(1)).rejects.toThrow('3 outputs for 1 inputs');
});
