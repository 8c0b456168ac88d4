const quarter = 900_000;
const day = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const maxOffsets = 20_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    ...numeric,
    second: 'numeric',
    hourCycle: 'h23',
    calendar: 'gregory',
  });
  if (formats.size > 500) formats.clear();
  formats.set(zone, format);
  return format;
}

/** Milliseconds that local time is ahead of UTC; clocks change at full quarters of an hour. */
function offsetAt(moment: number, zone: string): number {
  const quarterStart = Math.floor(moment / quarter) * quarter;
  const key = `${quarterStart} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(quarterStart)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
  const offset = Date.UTC(year, month - 1, date, hour, minute, second) - quarterStart;
  if (offsets.size > maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * The instants of a local time, given as if it were in UTC: one; two for an hour that clocks repeat in autumn; and the two
 * readings of an hour that they skip in spring.
 */
export function instantsOf(local: number, zone: string): number[] {
  const readings = [local - offsetAt(local - day, zone), local - offsetAt(local + day, zone)];
  const [earlier = local, later = local] = readings.toSorted((a, b) => a - b);
  if (earlier === later) return [earlier];
  const real = [earlier, later].filter((moment) => moment + offsetAt(moment, zone) === local);
  return real.length > 0 ? real : [later, earlier];
}

/** The readings of start and end that agree with the duration; the first ones if none do. */
export function agreeingTimes(starts: readonly number[], ends: readonly number[], seconds: number | undefined) {
  const pairs = starts.flatMap((start) => ends.map((end) => [start, end] as const));
  const differs = ([start, end]: readonly [number, number]) => Math.abs((end - start) / 1000 - (seconds ?? 0));
  const agreeing = seconds === undefined ? undefined : pairs.find((pair) => differs(pair) < 60);
  return agreeing ?? pairs.find(([start, end]) => end > start) ?? pairs[0];
}
