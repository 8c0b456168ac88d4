import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkHistory, checkRegister } from '../support/history/check-history.ts';
import { createHistory, type Operation, type Outcome } from '../support/history/history.ts';

const write = (value: string, start: number, end: number, outcome: Outcome = 'done'): Operation => ({
  kind: 'write',
  value,
  start,
  end: outcome === 'unknown' ? Number.POSITIVE_INFINITY : end,
  outcome,
  who: 'a',
});
const read = (value: string, start: number, end: number): Operation => ({
  kind: 'read',
  value,
  start,
  end,
  outcome: 'done',
  who: 'b',
});
const initial = write('0', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY);

describe('an inconsistent history is detected', () => {
  test.each<[string, Operation[], RegExp]>([
    ['a stale read', [initial, write('1', 0, 1), read('0', 2, 3)], /read 0 .* overwritten/],
    ['a read that goes back', [initial, write('1', 0, 9), read('1', 1, 2), read('0', 3, 4)], /overwritten/],
    ['a lost write', [initial, write('1', 0, 1), write('2', 2, 3), read('1', 4, 5)], /overwritten: .*wrote 1.*wrote 2/],
    [
      'a lost write of unknown outcome that a read returned',
      [initial, write('1', 0, 1, 'unknown'), read('1', 2, 3), read('0', 4, 5)],
      /overwritten/,
    ],
    ['a read of a value that was never written', [initial, read('7', 0, 1)], /never written/],
    ['a read of a rejected write', [initial, write('1', 0, 1, 'rejected'), read('1', 2, 3)], /rejected/],
    ['a read of the future', [initial, read('1', 0, 1), write('1', 2, 3)], /before it was written/],
    [
      'two readers that see two writes in two orders',
      [initial, write('1', 0, 9), write('2', 0, 9), read('1', 10, 11), read('2', 12, 13)],
      /overwritten/,
    ],
  ])('%s', (_what, operations, text) => {
    expect(checkRegister(operations)).toEqual([expect.stringMatching(text)]);
  });
});

describe('a consistent history passes', () => {
  test.each<[string, Operation[]]>([
    ['one after the other', [initial, read('0', 0, 1), write('1', 2, 3), read('1', 4, 5)]],
    [
      'reads during a write that return either value',
      [initial, write('1', 0, 9), read('0', 1, 2), read('1', 3, 4), read('1', 5, 6)],
    ],
    ['two writes at once', [initial, write('1', 0, 9), write('2', 0, 9), read('1', 1, 2), read('2', 3, 12)]],
    ['a write of unknown outcome that no read returned', [initial, write('1', 0, 1, 'unknown'), read('0', 2, 3)]],
    ['one that takes effect late', [initial, write('1', 0, 1, 'unknown'), read('0', 2, 3), read('1', 4, 5)]],
    ['a rejected write', [initial, write('1', 0, 1, 'rejected'), read('0', 2, 3)]],
  ])('%s', (_what, operations) => {
    expect(checkRegister(operations)).toEqual([]);
  });
});

/** Whether any order explains the history, by exhaustive search. */
function isExplained(rest: readonly Operation[], value: string): boolean {
  if (rest.every(({ outcome }) => outcome !== 'done')) return true;
  const candidates = rest.filter(({ start, outcome }) => {
    return outcome !== 'rejected' && rest.every(({ end, outcome: other }) => other !== 'done' || end >= start);
  });
  return candidates.some((next) => {
    if (next.kind === 'read' && next.value !== value) return false;
    return isExplained(
      rest.filter((operation) => operation !== next),
      next.value,
    );
  });
}

test('the check agrees with an exhaustive search for small histories', () => {
  const time = fc.tuple(fc.nat(12), fc.nat(5)).map(([start, length]) => ({ start, end: start + length }));
  const outcome = fc.constantFrom<Outcome>('done', 'done', 'unknown', 'rejected');
  const writes = fc
    .array(fc.tuple(time, outcome), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([{ start, end }, result], index) => write(String(index + 1), start, end, result)));
  const reads = fc
    .array(fc.tuple(time, fc.nat(4)), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([{ start, end }, value]) => read(String(value), start, end)));
  const verdicts = { consistent: 0, inconsistent: 0 };
  fc.assert(
    fc.property(writes, reads, (written, returned) => {
      const operations = [...written, ...returned];
      const expected = isExplained(operations, '0');
      verdicts[expected ? 'consistent' : 'inconsistent'] += 1;
      expect(checkRegister([initial, ...operations]).length === 0).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(verdicts.consistent, verdicts.inconsistent)).toBeGreaterThan(500);
});

test('a history records calls with their times, and the outcome of a write that throws as unknown', async () => {
  let time = 0;
  const history = createHistory(() => (time += 1));
  history.setInitial('project', 'old');
  expect(await history.write('project', 'new', 'lin', () => Promise.reject(new Error('cut')))).toBe('unknown');
  await history.read('wang', async () => ({ project: 'new' }));
  await history.read('wang', () => Promise.reject(new Error('cut')));
  expect(history.registers.get('project')?.slice(1)).toEqual([
    { kind: 'write', value: 'new', start: 1, end: Number.POSITIVE_INFINITY, outcome: 'unknown', who: 'lin' },
    { kind: 'read', value: 'new', start: 2, end: 3, outcome: 'done', who: 'wang' },
  ]);
  expect(checkHistory(history)).toEqual([]);
  await history.read('wang', async () => ({ project: 'old' }));
  expect(checkHistory(history)).toEqual([expect.stringMatching(/^project: wang read old .* overwritten/)]);
});
