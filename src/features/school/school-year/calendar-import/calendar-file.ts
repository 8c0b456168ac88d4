import ICAL from 'ical.js';
import { ValidationError } from '../../../../texts/errors.ts';
import { dayOfDate } from '../../../study/calendar/study-figures.ts';
import { entryName, maxDays, maxName, type SchoolDayKind } from '../school-day-fields.ts';
import { datesOf, type Property } from './event-days.ts';

export const maxEvents = 500;

/** Why an event is not imported by itself. */
export const leftOutReasons = [
  'timed',
  'exists',
  'repeats',
  'cancelled',
  'no_name',
  'no_dates',
  'too_long',
  'unreadable',
] as const;
type LeftOut = (typeof leftOutReasons)[number];

export type CalendarEvent = {
  /** In the order of the file, from 1. */
  number: number;
  name: string;
  first_day: string | null;
  last_day: string | null;
  kind: SchoolDayKind | null;
  left_out: LeftOut | null;
};

/** How calendars of holidays mark working days: 补班, 補課, （班）, but not 不上课; Apple has a property of its own. */
const lessons =
  /(?<!不|不用|不必|无需|無需|停止|取消|\bno )(?:[补補上][课課班]|make[- ]?up)(?!取消)|[（([【]班[）)\]】]|\s班$/i;

/** Reads the events of an iCalendar file (RFC 5545). UTC times become days of `zone`. Throws ValidationError for other files. */
export function readCalendar(text: string, zone: string): CalendarEvent[] {
  const lines = text.replace(/\r\n?/g, '\n');
  if (!/^\s*BEGIN:VCALENDAR\s*$/im.test(lines.slice(0, 1_000))) throw ValidationError.of('file', 'calendar_unknown');
  // Each event is read by itself: a damaged one is named, and costs no other.
  const blocks = lines.split(/^BEGIN:VEVENT[ \t]*$/im).slice(1);
  if (blocks.length === 0) throw ValidationError.of('file', 'calendar_empty');
  if (blocks.length > maxEvents)
    throw ValidationError.of('file', 'calendar_too_long', { maximum: maxEvents, count: blocks.length });
  return blocks.map((block, index) => ({ number: index + 1, ...readEvent(block, zone) }));
}

function readEvent(block: string, zone: string): Omit<CalendarEvent, 'number'> {
  const none = { name: '', first_day: null, last_day: null, kind: null };
  const properties = parse(block);
  if (properties === undefined) return { ...none, name: nameIn(block), left_out: 'unreadable' };
  const of = (wanted: string): Property | undefined => properties.find(([key]) => key === wanted);
  const name = toName(of('summary')?.[3]);
  const found = datesOf(of('dtstart'), of('dtend'), of('duration'), zone);
  const dates = { first_day: found?.first_day ?? null, last_day: found?.last_day ?? null };
  const leftOut = (reason: LeftOut) => ({ ...dates, name, kind: null, left_out: reason });
  if (String(of('status')?.[3]).toUpperCase() === 'CANCELLED') return leftOut('cancelled');
  if (name === '') return leftOut('no_name');
  if (found === undefined) return leftOut('no_dates');
  if (of('rrule') !== undefined || of('rdate') !== undefined) return leftOut('repeats');
  if (dayOfDate(found.last_day) - dayOfDate(found.first_day) >= maxDays) return leftOut('too_long');
  if (!found.isWhole) return leftOut('timed');
  const isMadeUp = of('x-apple-special-day')?.[3] === 'ALTERNATE-WORKDAY' || lessons.test(name);
  return { ...dates, name, kind: isMadeUp ? 'school_day' : 'off', left_out: null };
}

/** Undefined for what is not an event. The reader of the library throws errors of all kinds. */
function parse(block: string): Property[] | undefined {
  const end = /^END:VEVENT[ \t]*$/im.exec(block);
  if (end === null) return undefined;
  try {
    return ICAL.parse(`BEGIN:VEVENT\n${block.slice(0, end.index).trim()}\nEND:VEVENT`)[1];
  } catch {
    return undefined;
  }
}

const nameIn = (block: string): string =>
  toName(/^SUMMARY(?:;[^:\n]*)?:(.*)$/im.exec(block.replace(/\n[ \t]/g, ''))?.[1]);

/** As the name of an entry: one line, and not longer. */
function toName(summary: unknown): string {
  const points = [
    ...String(summary ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  const cut = points.length > maxName ? `${points.slice(0, maxName - 1).join('')}…` : points.join('');
  const name = entryName.safeParse(cut);
  return name.success ? name.data : '';
}
