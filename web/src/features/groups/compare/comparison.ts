import type { Comparison } from '../class-queries.ts';

/** A member's hours in a period, and in the one beside it. */
export type Pair = { id: number; name: string; now: number; before: number };
export const changeOf = ({ now, before }: Pair): number => now - before;
/** Less than a minute is no change. */
export const isChange = (hours: number): boolean => Math.abs(hours) >= 1 / 60;

export const pairsOf = ({ members }: Comparison): Pair[] =>
  members.map(({ user_id: id, display_name: name, hours: now, other_hours: before }) => ({ id, name, now, before }));

export const orders = ['change', 'hours', 'name'] as const;
export type Order = (typeof orders)[number];

export function sorted(pairs: readonly Pair[], order: Order, compare: (a: string, b: string) => number): Pair[] {
  const byName = (a: Pair, b: Pair) => compare(a.name, b.name);
  const key = { change: changeOf, hours: ({ now }: Pair) => now, name: () => 0 }[order];
  return pairs.toSorted((a, b) => key(b) - key(a) || byName(a, b));
}

/** The hours of all members in both periods by day of the week, from 0 for Sunday. */
export function byWeekday({ by_weekday }: Comparison): { now: number[]; before: number[] } {
  const ofDay = (of: (day: Comparison['by_weekday'][number]) => number) =>
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
      const day = by_weekday.find((known) => known.weekday % 7 === weekday);
      return day === undefined ? 0 : of(day);
    });
  return { now: ofDay(({ hours }) => hours), before: ofDay(({ other_hours }) => other_hours) };
}
