const dayMilliseconds = 86_400_000;
export const two = (value: number) => String(value).padStart(2, '0');
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const near: Readonly<Record<string, number>> = {
  today: 0,
  yesterday: -1,
  tomorrow: 1,
  今天: 0,
  昨天: -1,
  前天: -2,
  明天: 1,
  后天: 2,
};

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);

/** The date, if the calendar has it. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const text = `${year}-${two(month)}-${two(day)}`;
  const time = Date.parse(`${text}T00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}

/**
 * A typed date as 2026-11-20: 20 Nov, Nov 20, 20/11/2026, 11月20日, 2026/11/20, yesterday. Without a year it is the one nearest
 * to today. Undefined for anything else.
 */
export function parseDay(typed: string, today: string): string | undefined {
  const text = typed.normalize('NFKC').trim().toLowerCase();
  const away = near[text];
  if (away !== undefined) return addDays(today, away);
  const [, y1, m1, d1] = /^(\d{4})[-/.年]\s*(\d{1,2})[-/.月]\s*(\d{1,2})日?(?:\s*周.)?$/.exec(text) ?? [];
  if (y1 !== undefined) return dateOf(Number(y1), Number(m1), Number(d1));
  const [, m2, d2] = /^(\d{1,2})月(\d{1,2})[日号]?(?:\s*周.)?$/.exec(text) ?? [];
  if (m2 !== undefined) return nearest(Number(m2), Number(d2), today);
  const [, d3, m3, y3] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}))?$/.exec(text) ?? [];
  if (d3 !== undefined) return inYear(y3, Number(m3), Number(d3), today);
  const words = /^(?:[a-z]{3,9},? )?(?:(\d{1,2}) )?([a-z]{3,9})\.?(?: (\d{1,2}))?(?:,? (\d{4}))?$/.exec(text);
  const month = months.indexOf((words?.[2] ?? '').slice(0, 3)) + 1;
  const day = words?.[1] ?? words?.[3];
  return month === 0 || day === undefined ? undefined : inYear(words?.[4], month, Number(day), today);
}

export type DateRange = { from: string; to: string };

/**
 * Two dates with a dash or "to" between them, the month of one of which may be missing, or a single day: 29 Oct – 3 Nov,
 * 29–30 Oct, 10月29日至30日.
 */
export function parseRange(typed: string, today: string): DateRange | undefined {
  const [first = '', last = first, ...more] = typed.trim().split(/\s*(?:[–—~]|至|到|\s-\s|\bto\b)\s*/);
  const [from = ofMonth(first, parseDay(last, today)), to = ofMonth(last, from)] = [first, last].map((text) =>
    parseDay(text, today),
  );
  return more.length > 0 || from === undefined || to === undefined || from > to ? undefined : { from, to };
}

/** A day without its month, in that of another date. */
function ofMonth(text: string, date: string | undefined): string | undefined {
  const [, day] = /^(\d{1,2})[日号]?$/.exec(text) ?? [];
  return day && date && dateOf(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(day));
}

function inYear(year: string | undefined, month: number, day: number, today: string): string | undefined {
  return year === undefined ? nearest(month, day, today) : dateOf(Number(year), month, day);
}

function nearest(month: number, day: number, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  const away = (date: string) => Math.abs(Date.parse(date) - Date.parse(today));
  return [year - 1, year, year + 1]
    .flatMap((candidate) => dateOf(candidate, month, day) ?? [])
    .sort((a, b) => away(a) - away(b))[0];
}
