import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DecidedDays,
  type NamedDays,
  namedDaysOf,
} from '../../src/features/school/school-year/person-year/named-days.ts';
import { type DayRanges, includesDay } from '../../src/features/study/calendar/day-kinds.ts';

const first = 20_000;
const days = Array.from({ length: 60 }, (_, day) => first + day);
const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const kinds = ['off', 'excused', 'school_day'] as const;

function rangesOf(included: readonly number[]): DayRanges {
  const ranges: [number, number][] = [];
  for (const day of included) {
    const last = ranges.at(-1);
    if (last?.[1] === day - 1) last[1] = day;
    else ranges.push([day, day]);
  }
  return ranges;
}

/** Entries, and for each of their days one of the kinds that they give it. */
const year = fc
  .array(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      kind: fc.constantFrom(...kinds),
      first: fc.integer({ min: first, max: first + 45 }),
      length: fc.integer({ min: 1, max: 12 }),
    }),
    { maxLength: 14 },
  )
  .chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray([...kinds], { minLength: 3 })))
  .map(([found, order]): { entries: NamedDays[]; decided: DecidedDays } => {
    const entries = found.map(({ length, ...entry }) => ({ ...entry, last: entry.first + length - 1 }));
    const of = (kind: NamedDays['kind']) =>
      rangesOf(
        days.filter((day) => {
          const given = entries.filter((entry) => entry.first <= day && day <= entry.last).map((entry) => entry.kind);
          return order.find((one) => given.includes(one)) === kind;
        }),
      );
    return { entries, decided: { off: of('off'), excused: of('excused'), school: of('school_day') } };
  });

test('each day has the name of the first entry of its kind, and equal days in a row are one range', () => {
  fc.assert(
    fc.property(year, ({ entries, decided }) => {
      const ranges = { off: decided.off, excused: decided.excused, school_day: decided.school };
      const named = namedDaysOf(decided, entries);
      for (const day of days) {
        const entry = entries.find((one) => one.first <= day && day <= one.last && includesDay(ranges[one.kind], day));
        const found = named.filter(({ from, to }) => from <= dateOf(day) && dateOf(day) <= to);
        expect(found.map(({ kind, name }) => ({ kind, name }))).toEqual(
          entry === undefined ? [] : [{ kind: entry.kind, name: entry.name }],
        );
      }
      for (const [index, { from, ...range }] of named.entries()) {
        const before = named[index - 1];
        if (before === undefined) continue;
        expect(before.to < from).toBe(true);
        const isNext = before.to === dateOf(Date.parse(from) / 86_400_000 - 1);
        expect(isNext && before.kind === range.kind && before.name === range.name).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});
