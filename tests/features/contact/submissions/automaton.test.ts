import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAutomaton } from '../../../../src/features/contact/submissions/spam/spam-matcher.ts';

/** The matches of an automaton as `entry@end`, in its order. */
function scan(entries: readonly string[], text: string): string[] {
  const automaton = createAutomaton(entries.map((entry) => ({ symbols: [...entry], value: entry })));
  const found: string[] = [];
  automaton.scan(text, (value, end) => void found.push(`${value}@${end}`));
  return found;
}

/** The same by naive search: all entries that end at each index, the longest first. */
function search(entries: readonly string[], text: string): string[] {
  const longestFirst = entries.toSorted((a, b) => b.length - a.length);
  return Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1)).flatMap((read) =>
    longestFirst.filter((entry) => read.endsWith(entry)).map((entry) => `${entry}@${read.length}`),
  );
}

test.each([
  [['he', 'she', 'his', 'hers'], 'ushers', ['she@4', 'he@4', 'hers@6']],
  [['a', 'aa', 'aaa'], 'aaaa', ['a@1', 'aa@2', 'a@2', 'aaa@3', 'aa@3', 'a@3', 'aaa@4', 'aa@4', 'a@4']],
  [['abcd', 'bc'], 'abce', ['bc@3']],
  [['abcx', 'bcy', 'c'], 'abcy', ['c@3', 'bcy@4']],
  [['ab', 'ab'], 'ab', ['ab@2', 'ab@2']],
  [['ab'], '', []],
  [[], 'ab', []],
])('%j in %j', (entries, text, expected) => {
  expect(scan(entries, text)).toEqual(expected);
});

test('finds any entries in any text, ordered by end, longest first', () => {
  const letters = (length: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: length });
  const entries = fc.uniqueArray(letters(5), { maxLength: 12 });
  fc.assert(
    fc.property(entries, letters(40), (patterns, text) => {
      expect(scan(patterns, text)).toEqual(search(patterns, text));
    }),
    { numRuns: 1000 },
  );
});
