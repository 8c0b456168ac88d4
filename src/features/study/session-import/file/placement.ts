import type { ZoneRules } from '../../../../db/time-zones.ts';
import { agreeingTimes, instantsOf } from './local-instants.ts';
import type { Moment, RowTimes } from './row-times.ts';

const day = 86_400_000;

const momentsOf = (moment: Moment, rules: ZoneRules) =>
  'instant' in moment ? [moment.instant] : instantsOf(moment.local, rules);

/** The instants of rows, one after the other. Rows with a day only follow one another from the hour at which a day starts. */
export function createPlacement({ rules, dayStartsAt }: { rules: ZoneRules; dayStartsAt: number }) {
  const followers = new Map<number, number>();
  return function place({ start, end, seconds, day: date }: RowTimes): [start: number, end: number] {
    const length = (seconds ?? 0) * 1000;
    if (end !== undefined) {
      const ends = momentsOf(end, rules);
      if (start === undefined) return [(ends[0] ?? 0) - length, ends[0] ?? 0];
      // A record over the hour that clocks repeat may end before its start.
      if (end.isNextDay === true && 'local' in end) ends.push(...instantsOf(end.local - day, rules));
      const found = agreeingTimes(momentsOf(start, rules), ends, seconds);
      if (found !== undefined) return [found[0], found[1]];
    }
    let from = start;
    if (from === undefined) {
      const local = followers.get(date ?? 0) ?? (date ?? 0) + dayStartsAt;
      followers.set(date ?? 0, local + length);
      from = { local };
    }
    const begun = momentsOf(from, rules)[0] ?? 0;
    return [begun, begun + length];
  };
}
