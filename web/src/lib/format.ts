import { isChinese, type Locale, languageTags, useSettings } from './settings.ts';

const words = {
  en: { hours: ' h', minutes: ' min', now: 'just now' },
  zh: { hours: ' 小时', minutes: ' 分钟', now: '刚刚' },
  'zh-Hant': { hours: ' 小時', minutes: ' 分鐘', now: '剛剛' },
} as const satisfies Record<Locale, object>;

/** 2 h 05, 42 min; 2 小时 5 分, 42 分钟. The only place that rounds: to whole minutes. */
function formatDuration(seconds: number, locale: Locale): string {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const { hours: h, minutes: m } = words[locale];
  if (hours === 0) return `${rest}${m}`;
  if (rest === 0) return `${hours}${h}`;
  return isChinese(locale) ? `${hours}${h} ${rest} 分` : `${hours}${h} ${String(rest).padStart(2, '0')}`;
}

/** A running clock: 0:42:17. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Created lazily: each takes some milliseconds on a slow phone, and no page needs them all. */
function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** British English alone abbreviates this month with four letters. */
const shortMonth = (text: string) => text.replace(/\bSept\b/g, 'Sep');

/** 11月27日 周五, with the space that the names of days need beside figures. */
const apart = (text: string) => text.replace(/日([周週])/, '日 $1');

/** 9–15 Nov; between dates with months or years the spaces of `formatRange` stay. */
const closed = (text: string) => text.replace(/^(\d+)\s–\s/, '$1–');

/** 2026年11月23日至29日; `formatRange` would write 2026/11/23. */
function chineseRange(from: string, to: string, hasYear: boolean): string {
  const [y1, m1, d1] = from.split('-').map(Number);
  const [y2, m2, d2] = to.split('-').map(Number);
  const begin = `${hasYear || y1 !== y2 ? `${y1}年` : ''}${m1}月${d1}日`;
  if (from === to) return begin;
  return `${begin}至${y1 === y2 ? '' : `${y2}年`}${y1 === y2 && m1 === m2 ? '' : `${m2}月`}${d2}日`;
}

function createFormats(locale: Locale, timeZone: string) {
  const tag = languageTags[locale];
  const number = once(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }));
  const exact = once(() => new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }));
  const tenths = once(() => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
  const day = once(() => new Intl.DateTimeFormat(tag, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }));
  const dayWithYear = once(
    () => new Intl.DateTimeFormat(tag, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }),
  );
  const time = once(
    () => new Intl.DateTimeFormat(tag, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  );
  const month = once(() => new Intl.DateTimeFormat(tag, { timeZone, month: 'short' }));
  const weekday = once(() => new Intl.DateTimeFormat(tag, { timeZone, weekday: 'long' }));
  const weekdayShort = once(() => new Intl.DateTimeFormat(tag, { timeZone, weekday: 'short' }));
  const weekdayLetter = once(() => new Intl.DateTimeFormat(tag, { timeZone, weekday: 'narrow' }));
  const longDay = once(
    () =>
      new Intl.DateTimeFormat(tag, {
        timeZone,
        weekday: isChinese(locale) ? 'short' : 'long',
        day: 'numeric',
        month: 'long',
      }),
  );
  const longDate = once(
    () => new Intl.DateTimeFormat(tag, { timeZone, day: 'numeric', month: 'long', year: 'numeric' }),
  );
  const shortDate = once(() => new Intl.DateTimeFormat(tag, { timeZone, day: 'numeric', month: 'short' }));
  const isoDay = once(
    () => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  );
  const relativeTime = once(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
  /** 3 days ago; 3 天前, with the space that Chinese durations have. */
  const relative = (amount: number, unit: 'minute' | 'hour' | 'day') =>
    relativeTime()
      .format(amount, unit)
      .replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
  const dayNumber = (moment: string | number | Date) => Date.parse(isoDay().format(new Date(moment))) / 86_400_000;
  const yearOf = (moment: string | number) => isoDay().format(new Date(moment)).slice(0, 4);
  const isThisYear = (moment: string) => yearOf(moment) === yearOf(Date.now());
  const range = (format: Intl.DateTimeFormat, from: string, to: string, hasYear: boolean) =>
    isChinese(locale)
      ? chineseRange(isoDay().format(new Date(from)), isoDay().format(new Date(to)), hasYear)
      : closed(shortMonth(format.formatRange(new Date(from), new Date(to))));
  const shortDay = (moment: string) => apart(shortMonth(day().format(new Date(moment))));
  return {
    number: (value: number) => number().format(value),
    /** 0.25: for axes, whose lines are at such values. */
    exact: (value: number) => exact().format(value),
    /** Always with one decimal, for columns. */
    tenths: (value: number) => tenths().format(value),
    hours: (hours: number) => formatDuration(hours * 3600, locale),
    /** 14 h, 7.6 h: for tables and charts. */
    shortHours: (hours: number) => `${number().format(hours >= 10 ? Math.round(hours) : hours)}${words[locale].hours}`,
    duration: (seconds: number) => formatDuration(seconds, locale),
    /** Fri 27 Nov, 11月27日 周五. */
    day: (moment: string) => shortDay(moment),
    date: (moment: string) => shortMonth(dayWithYear().format(new Date(moment))),
    /** Fri 27 Nov, with the year if it is another one. */
    dayWithYear: (moment: string) => {
      const text = shortDay(moment);
      if (isThisYear(moment)) return text;
      return isChinese(locale) ? `${yearOf(moment)}年${text}` : `${text} ${yearOf(moment)}`;
    },
    /** 1 Sep – 27 Nov 2026, 2026年9月1日至11月27日. */
    dates: (from: string, to: string) => range(dayWithYear(), from, to, true),
    /** 23–29 November 2026. */
    longDates: (from: string, to: string) => range(longDate(), from, to, true),
    /** 9–15 Nov, 11月9日至15日. */
    dayRange: (from: string, to: string) => range(shortDate(), from, to, false),
    /** The number alone, without 日, which axes have no room for. */
    dayOfMonth: (moment: string) => new Date(moment).toLocaleDateString('en', { timeZone, day: 'numeric' }),
    weekday: (moment: string) => weekday().format(new Date(moment)),
    weekdayShort: (moment: string) => weekdayShort().format(new Date(moment)),
    weekdayLetter: (moment: string) => weekdayLetter().format(new Date(moment)),
    /** Friday, 27 November; 11月27日 周五. */
    longDay: (moment: string) => apart(longDay().format(new Date(moment))).replace(/^(\w+) /, '$1, '),
    /** Fri 27 Nov 2026, 2026年11月27日 周五. */
    fullDay: (moment: string) => {
      const [name, date] = [weekdayShort().format(new Date(moment)), dayWithYear().format(new Date(moment))];
      return isChinese(locale) ? `${date} ${name}` : `${name} ${shortMonth(date)}`;
    },
    /** November 2026, 2026年11月. */
    monthAndYear: (moment: string) =>
      new Date(moment).toLocaleDateString(tag, { timeZone, month: 'long', year: 'numeric' }),
    /** 27 Nov. */
    shortDate: (moment: string) => shortMonth(shortDate().format(new Date(moment))),
    time: (moment: string) => time().format(new Date(moment)),
    dateTime: (moment: string) =>
      [dayWithYear, time].map((part) => part().format(new Date(moment))).join(isChinese(locale) ? ' ' : ', '),
    month: (moment: string) => shortMonth(month().format(new Date(moment))),
    /** 2026-02-01 in the time zone. */
    isoDay: (moment: string | number) => isoDay().format(new Date(moment)),
    /** Just now, 5 minutes ago, 2 hours ago, in 22 hours; from two days on in days. */
    fromNow: (moment: string | number) => {
      const minutes = Math.round((new Date(moment).getTime() - Date.now()) / 60_000);
      const size = Math.abs(minutes);
      if (size === 0) return words[locale].now;
      if (size < 60) return relative(minutes, 'minute');
      if (size < 48 * 60) return relative(Math.trunc(minutes / 60), 'hour');
      return relative(Math.trunc(minutes / 1440), 'day');
    },
    /** 40 min, 31 h; from two days on 3 days ago. */
    age: (moment: string) => {
      const minutes = Math.round((Date.now() - Date.parse(moment)) / 60_000);
      if (minutes >= 48 * 60) return relative(-Math.trunc(minutes / 1440), 'day');
      return formatDuration((minutes < 60 ? minutes : minutes - (minutes % 60)) * 60, locale);
    },
    /** Today, yesterday, 3 days ago, 16 Nov; with the year if it is another one. Days may begin at a later hour than 0. */
    daysAgo: (moment: string | number, startHour = 0) => {
      const [at, now] = [moment, Date.now()].map((time) => new Date(time).getTime() - startHour * 3_600_000) as [
        number,
        number,
      ];
      const days = dayNumber(at) - dayNumber(now);
      if (days >= -6) return relative(days, 'day');
      return shortMonth((yearOf(at) === yearOf(now) ? shortDate() : dayWithYear()).format(at));
    },
  };
}
export type Formats = ReturnType<typeof createFormats>;

/** Shared by all components: a list may have hundreds that use them. */
const known = new Map<string, Formats>();

/** Formats of numbers and times in the user's language and the given time zone. */
export function useFormats(timeZone: string): Formats {
  const { locale } = useSettings();
  const key = `${locale} ${timeZone}`;
  const formats = known.get(key) ?? createFormats(locale, timeZone);
  known.set(key, formats);
  return formats;
}
