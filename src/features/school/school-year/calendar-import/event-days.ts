import ICAL from 'ical.js';
import { day } from '../../../../http/time-fields.ts';

/** As the library reads a line: name, parameters, type and value. */
export type Property = [name: string, parameters: Record<string, unknown>, type: string, value: unknown];

type Days = {
  first_day: string;
  last_day: string;
  /** Without times, or from midnight to midnight. */
  isWhole: boolean;
};
/** `milliseconds` are those of the written date and time, as if in UTC. */
type Read = { milliseconds: number; isDate: boolean };

const dayMilliseconds = 86_400_000;
const isoDay = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** The days of an event; its end, a date or midnight, is no longer part of it. Undefined unless they are such that an entry can have. */
export function datesOf(
  start: Property | undefined,
  end: Property | undefined,
  duration: Property | undefined,
  zone: string,
): Days | undefined {
  const from = read(start, zone);
  if (from === undefined) return undefined;
  const until = endOf(from, end, duration, zone);
  if (until === undefined || until < from.milliseconds) return undefined;
  const last = Math.max(from.milliseconds, until - 1);
  const days = { first_day: isoDay(from.milliseconds), last_day: isoDay(last) };
  if (!day.safeParse(days.first_day).success || !day.safeParse(days.last_day).success) return undefined;
  const isMidnight = (time: number) => time % dayMilliseconds === 0;
  const isWhole = from.isDate || (isMidnight(from.milliseconds) && isMidnight(until) && until > from.milliseconds);
  return { ...days, isWhole };
}

function endOf(
  from: Read,
  end: Property | undefined,
  duration: Property | undefined,
  zone: string,
): number | undefined {
  if (end !== undefined) {
    const until = read(end, zone)?.milliseconds;
    // Some programs repeat the day of the beginning.
    return from.isDate && until === from.milliseconds ? until + dayMilliseconds : until;
  }
  if (duration !== undefined) {
    const seconds = ICAL.Duration.isValueString(String(duration[3]))
      ? ICAL.Duration.fromString(String(duration[3])).toSeconds()
      : Number.NaN;
    return Number.isSafeInteger(seconds) ? from.milliseconds + seconds * 1_000 : undefined;
  }
  return from.isDate ? from.milliseconds + dayMilliseconds : from.milliseconds;
}

/** A time with the name of a zone, or without one, is that of the clock where the event takes place. */
function read(property: Property | undefined, zone: string): Read | undefined {
  const value = String(property?.[3] ?? '');
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (!isDate && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/.test(value)) return undefined;
  const milliseconds = Date.parse(isDate || value.endsWith('Z') ? value : `${value}Z`);
  // Date.parse takes 30 February for a day of March.
  if (Number.isNaN(milliseconds) || isoDay(milliseconds) !== value.slice(0, 10)) return undefined;
  return { milliseconds: value.endsWith('Z') ? clockIn(zone, milliseconds) : milliseconds, isDate };
}

function clockIn(timeZone: string, milliseconds: number): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(milliseconds).replace(' ', 'T')}Z`);
}
