import { createReader, dayWays, type Groups, plainText, timeWays } from './written-ways.ts';
import { monthOf, partsOfDay, weekdaysOf } from './written-words.ts';

export const dateOrders = ['month_first', 'day_first', 'year_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

/**
 * What a text says about a moment, as far as it says it: the day as milliseconds of its midnight in UTC, the time since midnight
 * (24:00 is a day), and what local time is ahead of UTC. `half`: the time is written with a part of the day, such as *pm*. `order`:
 * the day depends on the order of dates.
 */
export type Written = { way: string; day?: number; time?: number; offset?: number; half?: true; order?: DateOrder };

/** `now`: years of two digits are those of the last ten years. Without it, the order was chosen, and they are of this century. */
export type DateOptions = { order: DateOrder; now?: number };

/** With what the header of its column says about local times. */
export const withOffset = <Read extends Written | undefined>(read: Read, offset: number | undefined): Read =>
  read?.time === undefined || read.offset !== undefined || offset === undefined ? read : { ...read, offset };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const readDay = createReader(dayWays, false);
const readTime = createReader(timeWays, true);

/** Whether a date has two or three numbers whose order is not certain. */
export const hasOrder = (text: string): boolean =>
  /(?:^|\D)\d{1,2}([/-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)/.test(plainText(text));

/** Whether a time of day without am and pm is one of 24 hours: 13:00, 0:30, and also 09:00. */
export const has24Hours = (text: string): boolean =>
  /^(?!.*[ap]\.? ?m)(?:.*[ T])?(?:0\d?|1[3-9]|2[0-4])(?:[:时時点點h]|\d{2}$)/i.test(plainText(text));

/**
 * Reads a date, a time of day, or both; undefined for anything that is not certain. 04.07.26 is a date or a time, by what is
 * expected.
 */
export function readWhen(text: string, expected: 'day' | 'time', options: DateOptions): Written | undefined {
  // Java and C write the year last: Sat Jul 04 09:00:00 GMT+08:00 2026.
  const yearLast = /^(\p{L}{2,4} \p{L}{3} \d{1,2}) (\d{2}:\d{2}:\d{2}(?: (?:UTC|GMT)\S{0,6})?) (\d{4})$/u;
  const given = plainText(text).replace(yearLast, '$1 $3 $2');
  if (given === '') return undefined;
  const [clock, whole] = [clockOf(given), dated(given, options)];
  if (clock !== undefined && (expected === 'time' || whole === undefined)) return clock;
  if (whole !== undefined) return whole;
  const [, word = '', rest = ''] = /^\(?(\p{L}{1,16})\)?[.,]* ?(.+)$/u.exec(given) ?? [];
  const weekdays = weekdaysOf(word);
  if (weekdays !== undefined) return onWeekday(dated(rest, options), weekdays);
  // The time may precede the day: 9:00 AM, July 4, 2026.
  const [, first = '', last = ''] = /^(\d{1,2}[:.]\d{2}\S*(?: ?[ap]\.? ?m\.?)?),? (.+)$/i.exec(given) ?? [];
  const [time, date] = [clockOf(first), dated(last, options)];
  return time === undefined || date === undefined || date.time !== undefined ? undefined : { ...date, ...time };
}

/** A weekday beside a date must be its own. */
function onWeekday(written: Written | undefined, weekdays: ReadonlySet<number>): Written | undefined {
  return written?.day !== undefined && weekdays.has(new Date(written.day).getUTCDay()) ? written : undefined;
}

function dated(text: string, options: DateOptions): Written | undefined {
  const found = readDay(text);
  const written = found && dayOf(found.groups, found.way, options);
  if (found === undefined || written === undefined || found.rest === '') return written;
  const [, weekday, rest = ''] = /^,? ?\(?(\p{L}{1,16})[).]?(.*)$/u.exec(found.rest) ?? [];
  const weekdays = weekday === undefined ? undefined : weekdaysOf(weekday);
  const known = weekdays === undefined ? written : onWeekday(written, weekdays);
  const after = weekdays === undefined ? found.rest : rest;
  if (known === undefined || after === '' || known.time !== undefined) return after === '' ? known : undefined;
  const [, separator, clock = ''] = /^(T(?=\d)|,? (?:at |um |kl\.? )?|[,:]|(?=[^ -~]))(.+)$/i.exec(after) ?? [];
  const time = zoned(clock, separator?.toUpperCase() === 'T');
  return time && { ...known, ...time, way: `${known.way} ${time.way}` };
}

/** A time of day that may have a zone. 09:00-10:00 would be two times, but after a `T` or with seconds it is one with an offset. */
function zoned(text: string, isIso: boolean): Written | undefined {
  const zone =
    /^(.+?) ?\(?(?:(?:Z|UTC|GMT)(?: ?([+-])(\d{1,2})(?::?([0-5]\d))?)?|([+-])(\d{2})(?::?([0-5]\d))?)\)?(?: ?\([^)]*\)| ?\[[\w/]+\])?$/i;
  const [, clock, utcSign, utcHours, utcMinutes, sign = utcSign, hours = utcHours, minutes = utcMinutes] =
    zone.exec(text) ?? [];
  if (clock === undefined) return clockOf(text);
  if (sign === '-' && utcSign === undefined && !isIso && !/\d:\d{2}:\d{2}/.test(clock)) return undefined;
  const ahead = Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute;
  const time = clockOf(clock);
  return ahead > 14 * hour ? undefined : time && { ...time, offset: sign === '-' ? -ahead : ahead };
}

const dayParts = partsOfDay.map(([words, first, last]) => {
  return { first, last, regex: new RegExp(`^(?:(?:${words}) ?(.+)|(.+?) ?(?:${words}))$`, 'iu') };
});

function clockOf(text: string): Written | undefined {
  for (const { first, last, regex } of dayParts) {
    const [, before, after] = regex.exec(text) ?? [];
    const found = readTime(before ?? after ?? '');
    if (found === undefined) continue;
    const written = Number(found.groups.h ?? found.groups.H ?? Number.NaN);
    const hours = [written % 12, (written % 12) + 12, ...(written === 12 ? [24] : [])];
    const [meant, ...others] = (written > 12 ? [written] : hours).filter((one) => one >= first && one <= last);
    const time = meant === undefined || others.length > 0 ? undefined : timeOf(found.groups, found.way, meant);
    return time && { ...time, half: true };
  }
  const found = readTime(text);
  if (found === undefined || found.groups.H !== undefined) return undefined;
  return timeOf(found.groups, found.way);
}

function timeOf(groups: Groups, way: string, hours = Number(groups.h ?? groups.hh ?? 0)): Written | undefined {
  if (groups.part !== undefined) return { way, time: partOf(groups.part) };
  // A spreadsheet that has lost the format writes 0.45 for 10:48.
  if (way.startsWith('{h}[.]') && groups.h === '0') return undefined;
  const minutes = Number(groups.m ?? groups.minute ?? groups.mm ?? (way.endsWith('半') ? 30 : 0));
  const seconds = Number((groups.s ?? groups.ss ?? '0').replace(',', '.'));
  const time = hours * hour + minutes * minute + Math.floor(seconds * second + 0.001);
  return minutes > 59 || seconds >= 60 || time > day ? undefined : { way, time };
}

/** Spreadsheets that lose the format of a date write the days since 30 December 1899; a time is a part of a day. */
const partOf = (text: string) => Math.round(Number(text.replace(',', '.')) * 86_400) * second;

function dayOf(groups: Groups, way: string, { order, now }: DateOptions): Written | undefined {
  if (groups.unix !== undefined) {
    const instant = Number(groups.unix) * (groups.unix.length === 10 ? second : 1);
    return { way, day: Math.floor(instant / day) * day, time: instant % day, offset: 0 };
  }
  if (groups.serial !== undefined) {
    const [whole = '', part] = groups.serial.split(/[.,]/);
    const time = part === undefined ? {} : { time: partOf(`.${part}`) };
    return { way, day: Date.UTC(1899, 11, 30) + Number(whole) * day, ...time };
  }
  const { A, B, C, N } = groups;
  const ordered = { month_first: [C, A, B], day_first: [C, B, A], year_first: [A, B, C] }[order];
  const [ofYear, ofMonth, ofDay] = A === undefined ? [] : ordered;
  const year = yearOf(ofYear ?? groups.Y ?? groups.YY ?? groups.y ?? '', now);
  const month = N === undefined ? Number(ofMonth ?? groups.M ?? groups.MM) : monthOf(N);
  const date = Number(ofDay ?? groups.D ?? groups.DD);
  if (year === undefined || month === undefined) return undefined;
  const found = new Date(Date.UTC(year, month - 1, date));
  found.setUTCFullYear(year);
  // 30 February would become 2 March.
  if (found.getUTCMonth() !== month - 1 || found.getUTCDate() !== date) return undefined;
  const time = groups.hh === undefined ? {} : timeOf(groups, way);
  return time && { way, day: found.getTime(), ...time, ...(A !== undefined && { order }) };
}

function yearOf(text: string, now: number | undefined): number | undefined {
  const year = Number(text.replace("'", ''));
  if (text.length >= 4) return year;
  const current = now === undefined ? undefined : new Date(now).getUTCFullYear();
  if (text.length < 2 || (current !== undefined && (2000 + year > current + 1 || 2000 + year < current - 10)))
    return undefined;
  return 2000 + year;
}
