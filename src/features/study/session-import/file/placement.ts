import type { ZoneRules } from '../../../../db/time-zones.ts';
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

/**
 * The instants of a local time, given as if it were in UTC: one; two for an hour that clocks repeat in autumn; and the two
 * readings of an hour that they skip in spring.
 */
export function instantsOf(local: number, { offsetAt }: ZoneRules): number[] {
  const readings = [local - offsetAt(local - day), local - offsetAt(local + day)];
  const [earlier = local, later = local] = readings.toSorted((a, b) => a - b);
  if (earlier === later) return [earlier];
  const real = [earlier, later].filter((moment) => moment + offsetAt(moment) === local);
  return real.length > 0 ? real : [later, earlier];
}

/** The readings of start and end that agree with the duration; the first ones if none do. */
export function agreeingTimes(starts: readonly number[], ends: readonly number[], seconds: number | undefined) {
  const pairs = starts.flatMap((start) => ends.map((end) => [start, end] as const));
  const differs = ([start, end]: readonly [number, number]) => Math.abs((end - start) / 1000 - (seconds ?? 0));
  const agreeing = seconds === undefined ? undefined : pairs.find((pair) => differs(pair) < 60);
  return agreeing ?? pairs.find(([start, end]) => end > start) ?? pairs[0];
}
