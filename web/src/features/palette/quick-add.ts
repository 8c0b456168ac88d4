import { fromWallTime, parseDuration, toWallTime } from '../../lib/wall-time.ts';
import { addDays, two } from '../../lib/written-dates.ts';

/** A finished study time, and the text beside it: the project, perhaps followed by a note. */
export type QuickAdd = { text: string; from: string; to: string };

const minute = 60_000;
const maxMinutes = 1440;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const chineseWeekdays = '日一二三四五六';

const hours = '(?:h|hrs?|hours?|个?小时|個?小時)';
const minutes = '(?:m|mins?|minutes?|分钟?|分鐘)';
const patterns = {
  range: /(?:from\s+)?\b(\d{1,2}):([0-5]\d)\s*(?:-|–|—|~|to|until|至|到)\s*(\d{1,2}):([0-5]\d)(?!\d)/iu,
  date: /(?:on\s+)?(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)/iu,
  chineseDate: /(\d{1,2})月(\d{1,2})[日号]/u,
  chineseTime: /(早上|上午|中午|下午|晚上)?\s*(\d{1,2})[点點](?:(半)|(\d{1,2})分?)?/u,
  half: /半个?小时/u,
  duration: new RegExp(
    `(?:for\\s+)?(?<![\\d.:])(\\d+(?:[.,]\\d+)?\\s*${hours}(?:半|\\s*\\d+\\s*${minutes}|\\d+)?|\\d+\\s*${minutes})(?![a-z])`,
    'iu',
  ),
  time: /(?:at\s+|@\s*)?(?<!\d)(\d{1,2}):([0-5]\d)(?:\s*(am|pm)\b)?(?!\d)/iu,
  halfDay: /(?:at\s+|@\s*)?\b(\d{1,2})\s*(am|pm)\b/iu,
  near: /\b(today|yesterday)\b|今天|昨天|前天/iu,
  weekday: /(?:on\s+)?\b(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\b/iu,
  chineseWeekday: /(上)?(?:周|星期|礼拜)([日天一二三四五六])/u,
} as const;

/** Reads “piano 45m yesterday 18:00”; undefined without a duration. Without a time, the study has just ended. */
export function parseQuickAdd(typed: string, now: number, zone: string): QuickAdd | undefined {
  let text = typed.normalize('NFKC');
  const take = (name: keyof typeof patterns) => {
    const found = patterns[name].exec(text);
    if (found !== null) text = text.replace(found[0], ' ');
    return found;
  };
  const wall = toWallTime(now, zone);
  const today = wall.slice(0, 10);

  const range = take('range');
  const date = take('date')?.[1] ?? chineseDate(take('chineseDate'), today);
  const clock = range === null ? chineseClock(take('chineseTime')) : clockOf(range[1], range[2]);
  const start = clock ?? clockOf(...twelveHours(take('time'))) ?? clockOf(...twelveHours(take('halfDay'), true));
  const length = range === null ? lengthOf(take) : spanOf(range);
  if (length === undefined || length < 1 || length > maxMinutes) return undefined;
  const near = take('near')?.[0].toLowerCase();
  const ago = { today: 0, 今天: 0, yesterday: 1, 昨天: 1, 前天: 2 }[near ?? ''];
  const named = date ?? (ago === undefined ? weekdayOf(take, today) : addDays(today, -ago));

  const place = (on: string) => {
    const given = fromWallTime(`${on}T${start ?? wall.slice(11)}`, zone);
    const at = given === undefined ? Number.NaN : Date.parse(given);
    return start === undefined ? at - length * minute : at;
  };
  let from = place(named ?? today);
  if (named === undefined && from + length * minute > now + minute) from = place(addDays(today, -1)); // the latest 18:00
  const to = from + length * minute;
  const rest = text.replace(/\s+/g, ' ').trim();
  if (Number.isNaN(from) || to > now + minute || rest === '') return undefined;
  return { text: rest, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

type Found = RegExpExecArray | null;
type Take = (name: keyof typeof patterns) => Found;

function lengthOf(take: Take): number | undefined {
  const written = take('duration')?.[1];
  if (written !== undefined) return parseDuration(written.replace(/分$/u, '分钟'));
  return take('half') === null ? undefined : 30;
}

function spanOf([, h1, m1, h2, m2]: RegExpExecArray): number {
  const span = (Number(h2) - Number(h1)) * 60 + Number(m2) - Number(m1);
  return span > 0 ? span : span + maxMinutes;
}

function clockOf(hour: string | number | undefined, minutes: string | number | undefined): string | undefined {
  if (hour === undefined || Number(hour) > 23 || Number(minutes) > 59) return undefined;
  return `${two(Number(hour))}:${two(Number(minutes))}`;
}

/** 6:15 pm is 18:15; without minutes the half of the day comes second. */
function twelveHours(found: Found, isWhole = false): [hour?: number, minutes?: number] {
  if (found === null) return [];
  const half = found[isWhole ? 2 : 3]?.toLowerCase();
  const hour = Number(found[1]);
  const minutes = isWhole ? 0 : Number(found[2]);
  return [half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minutes];
}

function chineseClock(found: Found): string | undefined {
  if (found === null) return undefined;
  const [, part, hour, half, rest] = found;
  const isLate = part !== undefined && '中午下午晚上'.includes(part) && Number(hour) < 12 && Number(hour) > 0;
  return clockOf(Number(hour) + (isLate ? 12 : 0), half === undefined ? Number(rest ?? 0) : 30);
}

/** Of this year, or of the one before if that is in the future. */
function chineseDate(found: Found, today: string): string | undefined {
  if (found === null) return undefined;
  const rest = `${two(Number(found[1]))}-${two(Number(found[2]))}`;
  const year = Number(today.slice(0, 4));
  return `${year}-${rest}` > today ? `${year - 1}-${rest}` : `${year}-${rest}`;
}

/** The latest such day, today included; 上周三 is in the week before. */
function weekdayOf(take: Take, today: string): string | undefined {
  const [, english] = take('weekday') ?? [];
  const [, last, chinese] = english === undefined ? (take('chineseWeekday') ?? []) : [];
  const wanted =
    english === undefined
      ? chineseWeekdays.indexOf(chinese === '天' ? '日' : (chinese ?? ' '))
      : weekdays.indexOf(english.toLowerCase());
  if (wanted < 0) return undefined;
  const current = new Date(today).getUTCDay();
  if (last === undefined) return addDays(today, -((current - wanted + 7) % 7));
  return addDays(today, -((current + 6) % 7) - 7 + ((wanted + 6) % 7));
}
