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
    ...{ timeZone: zone, ...numeric, second: 'numeric', hourCycle: 'h23', calendar: 'gregory' },
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

export type DateOrder = 'day_first' | 'month_first';

const morning = /上午|午前|오전|凌晨|早上|清晨|早晨|(?<![a-z])a\.?m\b\.?/i;
const afternoon = /下午|午後|오후|晚上|傍晚|中午|(?<![a-z])p\.?m\b\.?/i;
const second = 1000;

/** Normalising long runs of combining marks takes quadratic time. */
const plain = (text: string) => text.slice(0, 100).normalize('NFKC').trim();

/** Spreadsheets that lose the format of a date write the days since 30 December 1899; a time is a part of a day. */
export const isSerial = (text: string): boolean => /^[3-7]\d{4}$/.test(plain(text));
const partOf = (part: string) => Math.round(Number(`0.${part}`) * 86_400) * second;
const daysOf = (serial: string) => Date.UTC(1899, 11, 30) + Number(serial) * day;

/** Whether a date can be read in two ways. */
export const isAmbiguousDate = (text: string): boolean => /^\s*\d{1,2}[-/]\d{1,2}[-/]\d{2,4}(\D|$)/.test(plain(text));

/** A day as milliseconds in UTC: 2026-07-04, 2026/7/4, 2026年7月4日, 04.07.2026, 7/14/26. Undefined for anything else. */
export function parseDay(text: string, order: DateOrder): number | undefined {
  const given = plain(text);
  if (isSerial(given)) return daysOf(given);
  const big = /^(\d{4})([-/.年])(\d{1,2})(?:\2|月)(\d{1,2})日?$/.exec(given);
  if (big !== null) return dayOf(big[1], big[3], big[4]);
  const [, a, separator, b, year] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(given) ?? [];
  const [date, month] = order === 'day_first' || separator === '.' ? [a, b] : [b, a];
  return dayOf(year?.length === 2 ? `20${year}` : year, month, date);
}

function dayOf(year = '', month = '', date = ''): number | undefined {
  const written = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const parsed = new Date(`${written}T00:00:00Z`);
  // 30 February would become 2 March.
  if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(written)) return undefined;
  return parsed.getTime();
}

/** Milliseconds since midnight: 9:00, 09:00:00, 9:00 AM, 上午9:00. Undefined for anything else. */
export function parseClock(text: string, isPart = false): number | undefined {
  const given = plain(text);
  const [, part] = (isPart && /^0?[.,](\d+)$/.exec(given)) || [];
  if (part !== undefined) return partOf(part);
  const half = morning.test(given) ? 0 : afternoon.test(given) ? 12 : undefined;
  const digits = given.replace(morning, '').replace(afternoon, '').trim();
  const [, hourText, minute, seconds = '0'] = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?$/.exec(digits) ?? [];
  let hour = Number(hourText);
  if (hourText === undefined || hour > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + half;
  return ((hour * 60 + Number(minute)) * 60 + Number(seconds)) * second;
}

export type Moment = { instant: number } | { local: number };

/** A date and time: ISO 8601 with an offset, or a local date and time in any of the forms above. */
export function parseMoment(text: string, order: DateOrder): Moment | undefined {
  const given = plain(text);
  const [, date, time, offset] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?([Zz]|[+-]\d{2}(?::?\d{2})?)$/.exec(given) ??
    [];
  if (offset !== undefined) {
    const zone = offset.replace(/^([+-]\d{2}):?(\d{2})?$/, (_all, hours, minutes = '00') => `${hours}:${minutes}`);
    const instant = Date.parse(`${date}T${time?.replace(',', '.')}${zone.toUpperCase()}`);
    return Number.isNaN(instant) || dayOf(...(date?.split('-') ?? [])) === undefined ? undefined : { instant };
  }
  const [, serial, part] = /^([3-7]\d{4})[.,](\d+)$/.exec(given) ?? [];
  if (serial !== undefined && part !== undefined) return { local: daysOf(serial) + partOf(part) };
  const [, dayText = '', clockText = ''] = /^(\S+?)(?:[Tt](?=\d)|,? +)(.+)$/.exec(given) ?? [];
  const [day, clock] = [parseDay(dayText, order), parseClock(clockText)];
  return day === undefined || clock === undefined ? undefined : { local: day + clock };
}

const inUnits =
  /^(?:(\d+(?:\.\d+)?) ?(?:h|hrs?|hours?|std\.?|小时|小時|時間))? ?(?:(\d+) ?(?:m|mins?|minutes?|分|分钟|分鐘))? ?(?:(\d+) ?(?:s|secs?|seconds?|秒))?$/;
const iso = /^pt(?:(\d+(?:\.\d+)?)h)?(?:(\d+)m)?(?:(\d+)(?:\.\d+)?s)?$/;

/** Seconds of a duration: 1:30, 01:30:00, 1.5, 1h 30m, PT1H30M. A number is in the unit of its column. */
export function parseSeconds(text: string, unit: 'hours' | 'minutes'): number | undefined {
  const given = plain(text).toLowerCase();
  const clock = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?$/.exec(given);
  if (clock !== null) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  // A record has at most 24 hours, so that 1,500 hours are 1.5; of minutes it may be either.
  if (unit === 'minutes' && /^\d{1,3}[.,]\d{3}$/.test(given)) return undefined;
  const decimal = given.replace(',', '.');
  if (/^\d{1,5}(\.\d+)?$/.test(decimal)) return Math.round(Number(decimal) * (unit === 'hours' ? 3600 : 60));
  const [, hours, minutes, seconds] = inUnits.exec(decimal) ?? iso.exec(decimal) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  return Math.round(Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
}
