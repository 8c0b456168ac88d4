/**
 * How people and programs write dates, times of day and durations: pattern, example, and what the example means. A new way to
 * write something is one line here; every example is a test, also beside all others, and no text has two meanings.
 *
 * A pattern is a regular expression with names in braces. Of dates: `{Y}` is a year of four digits, `{y}` of four or two, `{M}` and
 * `{D}` month and day, `{N}` a month's name; `{A}`, `{B}` and `{C}` are day, month and year in the order that the file has.
 * Of times: `{h}`, `{m}`, `{s}`, and `{minute}` where a single digit is clear; `{H}` is an hour that needs a word such as *am*.
 * Doubled letters have exactly two digits. Of durations: `{n}` is a number that may have decimals. Before it is read, a text gets
 * plain digits, colons, hyphens and spaces.
 */
export type Way = readonly [pattern: string, example: string, meaning: string];

/** Dates, and dates with a time that cannot be parted from it. */
export const dayWays: readonly Way[] = [
  ['{Y}-{M}-{D}', '2026-07-04', '2026-07-04'],
  ['{Y}/{M}/{D}', '2026/7/4', '2026-07-04'],
  ['{Y}[.]{M}[.]{D}[.]?', '2026.07.04', '2026-07-04'],
  ['{Y}[.] {M}[.] {D}[.]?', '2026. 7. 4.', '2026-07-04'],
  ['{Y} ?年 ?{M} ?月 ?{D} ?[日号號]', '2026年7月4日', '2026-07-04'],
  ['{Y} ?년 ?{M} ?월 ?{D} ?일', '2026년 7월 4일', '2026-07-04'],
  ['{YY}{MM}{DD}', '20260704', '2026-07-04'],
  ['{YY}{MM}{DD}{hh}{mm}', '202607040930', '2026-07-04T09:30:00'],
  ['{YY}{MM}{DD}{hh}{mm}{ss}', '20260704093015', '2026-07-04T09:30:15'],
  ['{A}/{B}/{C}', '4/7/26', '2026-07-04'],
  ['{A}-{B}-{C}', '04-07-2026', '2026-07-04'],
  ['{D}[.] ?{M}[.] ?{y}', '04.07.2026', '2026-07-04'],
  ['{D}(?:st|nd|rd|th|er|o|[.])?[ /-]?(?:de |of )?{N}[.]?[ ,/-]*(?:de )?{y}(?: ?[гр][.]?)?', '4-Jul-26', '2026-07-04'],
  ['{N}[.]?[ -]?{D}(?:st|nd|rd|th)?(?:,? |, ?){Y}', 'July 4, 2026', '2026-07-04'],
  ['{N}-{D}-{y}', 'Jul-04-26', '2026-07-04'],
  ['{N}/{D}/{y}', 'Jul/04/2026', '2026-07-04'],
  ['{Y}[ /.-]{N}[.]?[ /.-]{D}[.]?', '2026-Jul-04', '2026-07-04'],
  ['{serial}', '46207.375', '2026-07-04T09:00:00'],
  ['{unix}', '1783155600', '2026-07-04T09:00:00Z'],
];

export const timeWays: readonly Way[] = [
  ['{h}:{m}', '9:30', '09:30:00'],
  ['{h}:{m}:{s}', '09:30:15.000', '09:30:15'],
  ['{h}[.]{m}', '9.30', '09:30:00'],
  ['{h}[.]{m}[.]{s}', '09.30.15', '09:30:15'],
  ['{h}:{m} ?(?:uhr|h|hs|hrs|uur)', '9:30 Uhr', '09:30:00'],
  ['{h} ?(?:h|uhr|hs|uur)', '9 Uhr', '09:00:00'],
  ['{h}[.]{m} ?uhr', '9.30 Uhr', '09:30:00'],
  ['{h} ?(?:h|uhr|uur) ?{m}(?: ?min)?', '9h30', '09:30:00'],
  ['{h} ?[时時点點](?:整)?', '9点', '09:00:00'],
  ['{h} ?[时時点點]半', '9点半', '09:30:00'],
  ['{h} ?[时時点點] ?{m}', '9点30', '09:30:00'],
  ['{h} ?[时時点點] ?{minute} ?分', '9时5分', '09:05:00'],
  ['{h} ?[时時点點] ?{minute} ?分 ?{s} ?秒', '9时30分15秒', '09:30:15'],
  ['{h} ?시', '9시', '09:00:00'],
  ['{h} ?시 ?{m} ?분', '9시 30분', '09:30:00'],
  ['{hh}{mm}', '0930', '09:30:00'],
  ['{hh}{mm}{ss}', '093015', '09:30:15'],
  ['{H}', '9 pm', '21:00:00'],
  ['{part}', '0.375', '09:00:00'],
];

/** Durations beside sequences of numbers with units, such as `1h 30m` and `PT1H30M`. */
export const durationWays: readonly Way[] = [
  ['{h}:{m}:{s}', '1:30:15', '5415'],
  ['{d} ?(?:d|days?),? {h}:{m}:{s}', '0 days 01:30:15', '5415'],
  ['{h} ?(?:h|hr|heures?|std[.]?|小时|小時) ?{m}', '1h30', '5400'],
  ['{h}:{m} ?(?:h|hrs?|hours?|std[.]?|stunden?|[个個]?小时|小時)', '1:30 h', '5400'],
  ['{h}:{m}:{s} ?(?:h|hrs?|hours?|std[.]?|stunden?|[个個]?小时|小時)', '1:30:15 h', '5415'],
  ['半个?小时|半個?小時', '半小时', '1800'],
  ['{h} ?[个個]?(?:小时|小時|時間)半', '1小时半', '5400'],
  ['{h} ?[个個]半(?:小时|小時)', '1个半小时', '5400'],
  ['{a}:{b}', '1:30', '5400'],
  ['{n}', '1.5', '5400'],
];

const two = '\\d{2}';
/** The parts of patterns, as `written-ways.ts` explains them. */
const names = {
  Y: '\\d{4}',
  YY: '(?:19|20)\\d{2}',
  y: `\\d{4}|'?${two}`,
  M: '\\d{1,2}',
  D: '\\d{1,2}',
  A: '\\d{1,2}',
  B: '\\d{1,2}',
  C: `\\d{4}|${two}`,
  N: '\\p{L}{3,12}',
  h: '\\d{1,3}',
  m: '[0-5]\\d',
  minute: '[0-5]?\\d',
  s: '[0-5]\\d(?:[.,]\\d+)?',
  H: '\\d{1,2}',
  MM: two,
  DD: two,
  hh: two,
  mm: two,
  ss: two,
  d: '\\d{1,3}',
  a: '\\d{1,4}',
  b: '[0-5]\\d',
  n: '\\d[\\d.,]{0,18}',
  serial: '[3-7]\\d{4}(?:[.,]\\d+)?',
  unix: '1\\d{9}(?:\\d{3})?',
  part: '0(?:[.,]\\d+)?|[.,]\\d+',
};

export type Groups = { [Name in keyof typeof names]?: string | undefined };

/** A day ends before a time, but not within a number or a word. */
const dayEnd = '(?:(?=T\\d)|(?!\\d|\\p{Script=Latin}))';

/** Tries the way that read the text before it first: no text has two. */
export function createReader(ways: readonly Way[], isWhole: boolean) {
  const compiled = ways.map(([pattern]) => {
    const source = pattern.replace(
      /\{([A-Za-z]+)\}/g,
      (_all, name: string) => `(?<${name}>${names[name as keyof Groups]})`,
    );
    return { pattern, regex: new RegExp(`^(?:${source})${isWhole ? '$' : dayEnd}`, 'iu') };
  });
  let last = compiled[0];
  return function read(text: string): { way: string; groups: Groups; rest: string } | undefined {
    for (const one of last === undefined ? compiled : [last, ...compiled]) {
      const found = one.regex.exec(text);
      if (found === null) continue;
      last = one;
      return { way: one.pattern, groups: found.groups ?? {}, rest: text.slice(found[0].length) };
    }
    return undefined;
  };
}

/** Plain digits, colons, hyphens and spaces, without invisible marks. Normalising long runs of combining marks takes quadratic time. */
export const plainText = (text: string) =>
  text
    .slice(0, 100)
    .normalize('NFKC')
    .replace(/\p{Cf}|^'/gu, '')
    .replace(/\p{Pd}|−/gu, '-')
    .replace(/∶/g, ':')
    .replace(/\s+/g, ' ')
    .trim();
