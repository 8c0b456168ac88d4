import type { ZoneRules } from '../../../../db/time-zones.ts';

const day = 86_400_000;

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
