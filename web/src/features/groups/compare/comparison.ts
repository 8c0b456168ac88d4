import type { Period } from '../../statistics/period.ts';
import type { MemberDays } from '../class-queries.ts';

/** A member's hours in a period, and in the one beside it. */
export type Pair = { id: number; name: string; now: number; before: number };
export const changeOf = ({ now, before }: Pair): number => now - before;
/** Less than a minute is no change. */
export const isChange = (hours: number): boolean => Math.abs(hours) >= 1 / 60;

export function pairsOf(now: readonly MemberDays[], before: readonly MemberDays[]): Pair[] {
  const hoursBefore = new Map(before.map((member) => [member.user_id, member.total_hours]));
  return now.map(({ user_id: id, display_name: name, total_hours }) => ({
    id,
    name,
    now: total_hours,
    before: hoursBefore.get(id) ?? 0,
  }));
}

export const orders = ['change', 'hours', 'name'] as const;
export type Order = (typeof orders)[number];

export function sorted(pairs: readonly Pair[], order: Order, compare: (a: string, b: string) => number): Pair[] {
  const byName = (a: Pair, b: Pair) => compare(a.name, b.name);
  const key = { change: changeOf, hours: ({ now }: Pair) => now, name: () => 0 }[order];
  return pairs.toSorted((a, b) => key(b) - key(a) || byName(a, b));
}

/** The hours of all members by day of the week, from 0 for Sunday. */
export function byWeekday(members: readonly MemberDays[], { from }: Period): number[] {
  const first = new Date(from).getUTCDay();
  const hours = Array.from({ length: 7 }, () => 0);
  for (const { daily } of members)
    daily.forEach((own, day) => {
      const weekday = (first + day) % 7;
      hours[weekday] = (hours[weekday] ?? 0) + own;
    });
  return hours;
}
