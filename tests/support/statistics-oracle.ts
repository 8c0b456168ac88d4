/**
 * A slow reference implementation of the statistics that shares nothing with the service: it iterates over records by the
 * minute and days by the hour, and takes local days from the runtime's time zones.
 */

/** A finished record: milliseconds since 1970. */
export type Stretch = { start: number; end: number };
/** Whether the project was active from that moment. Before the first change it was. */
export type StatusChange = { at: number; active: boolean };
/** The time zone and hour at which a day begins; the ISO weekdays that are days of rest. */
type Calendar = { zone: string; dayStart?: number; rest?: readonly number[]; weekStart?: number };
/** Days that are off, and days with lessons on a day of rest. */
type Special = { off?: ReadonlySet<string>; lessons?: ReadonlySet<string> };
export type Scenario = Calendar &
  Special & { records: readonly Stretch[]; changes?: readonly StatusChange[]; now: number };

const minute = 60_000;
const hour = 60 * minute;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** The local time as milliseconds since 1970, as if it were UTC. */
export function wallClock(moment: number, zone: string): number {
  const start = Math.floor(moment / hour) * hour;
  const offset = offsetAt(start, zone);
  // In some hours the offset changes.
  if (offset === offsetAt(start + hour, zone)) return moment + offset;
  return moment + offsetAt(Math.floor(moment / minute) * minute, zone);
}

/** The offset of the zone from UTC in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const key = `${zone} ${moment}`;
  const known = offsets.get(key) ?? readOffset(moment, zone);
  offsets.set(key, known);
  return known;
}

function readOffset(moment: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(zone, format);
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute: minutes } = part;
  return Date.UTC(year, month - 1, day, hour, minutes) - moment;
}

/** The study day: before the hour at which days begin, it is the previous date. */
export function localDay(moment: number, { zone, dayStart = 0 }: Calendar): string {
  return new Date(wallClock(moment, zone) - dayStart * hour).toISOString().slice(0, 10);
}

export const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The whole seconds of the records by local day. */
export function secondsByDay(records: readonly Stretch[], calendar: Calendar): Map<string, number> {
  const days = new Map<string, number>();
  for (const { start, end } of records) {
    for (let from = start; from < end; ) {
      const to = Math.min(end, (Math.floor(from / minute) + 1) * minute);
      const seconds = Math.floor((to - start) / 1000) - Math.floor((from - start) / 1000);
      const day = localDay(from, calendar);
      if (seconds > 0) days.set(day, (days.get(day) ?? 0) + seconds);
      from = to;
    }
  }
  return days;
}

/** A record of less than a minute makes no day one of study. */
export const counts = ({ start, end }: Stretch): boolean => Math.floor((end - start) / 1000) >= 60;

/** `2026-W07`: a week belongs to the year of its Thursday. */
function isoWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 24 * hour);
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - newYear) / (7 * 24 * hour)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

export function roundedHours(seconds: number): number {
  return Math.round(seconds / 36 + 1e-9) / 100;
}

function isActive(moment: number, changes: readonly StatusChange[]): boolean {
  return changes.reduce((active, change) => (change.at <= moment ? change.active : active), true);
}

/** Every local day from the first moment to the last, in order, without days that the zone skipped. */
function daysBetween(first: number, last: number, calendar: Calendar): string[] {
  const days = new Set<string>();
  for (let moment = first; moment <= last; moment += hour) days.add(localDay(moment, calendar));
  days.add(localDay(last, calendar));
  return [...days].sort();
}

/** Every minute, and the moments before and after each change; without changes every quarter of an hour. */
function momentsToCheck(from: number, to: number, changes: readonly StatusChange[]): number[] {
  const moments = changes.flatMap((change) => [change.at - 1, change.at]);
  const step = changes.length === 0 ? hour / 4 : minute;
  for (let moment = Math.floor(from / step) * step; moment < to; moment += step) moments.push(moment);
  return moments.sort((a, b) => a - b);
}

type Day = 'counts' | 'neutral' | 'missed';

/** The effect of each day on a streak. */
function classifyDays(scenario: Scenario): { day: string; is: Day }[] {
  const { records, changes = [], now, rest = [], off, lessons } = scenario;
  const studied = secondsByDay(records.filter(counts), scenario);
  const first = Math.min(now, ...records.map((record) => record.start), ...changes.map((change) => change.at));
  const last = Math.max(now, ...records.map((record) => record.end));
  const activity = new Map<string, boolean[]>();
  for (const moment of momentsToCheck(first - 48 * hour, last + 48 * hour, changes)) {
    const day = localDay(moment, scenario);
    const moments = activity.get(day) ?? [];
    activity.set(day, moments);
    moments.push(isActive(moment, changes));
  }
  return daysBetween(first, last, scenario).map((day) => {
    const active = activity.get(day) ?? [];
    if (!active.includes(true)) return { day, is: 'neutral' };
    if (off?.has(day)) return { day, is: 'neutral' };
    if (studied.has(day)) return { day, is: 'counts' };
    if (rest.includes(weekdayOf(day)) && !lessons?.has(day)) return { day, is: 'neutral' };
    return { day, is: active[0] === true && active.at(-1) === true ? 'missed' : 'neutral' };
  });
}

export function streaks(scenario: Scenario): { current: number; longest: number } {
  const days = classifyDays(scenario);
  let longest = 0;
  let length = 0;
  for (const { is } of days) {
    if (is === 'counts') length += 1;
    if (is === 'missed') length = 0;
    longest = Math.max(longest, length);
  }

  const changes = scenario.changes ?? [];
  const left = changes.filter((change, index) => !change.active && (changes[index - 1]?.active ?? true)).at(-1);
  const frozen = left !== undefined && !isActive(scenario.now, changes) ? left.at : scenario.now;
  const today = localDay(frozen, scenario);
  let current = 0;
  for (const { day, is } of days.toReversed()) {
    if (day > today && is !== 'counts') continue;
    if (is === 'missed' && day !== today) break;
    if (is === 'counts') current += 1;
  }
  return { current, longest };
}

/** The fields of a project's statistics that depend only on records and time. */
export function expectedStatistics(scenario: Scenario, weeks: number) {
  const { records, now } = scenario;
  const lengths = records.map(({ start, end }) => Math.floor((end - start) / 1000));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const days = secondsByDay(records, scenario);
  const byWeek = new Map<string, number>();
  for (const [day, seconds] of days) byWeek.set(isoWeek(day), (byWeek.get(isoWeek(day)) ?? 0) + seconds);
  const { current, longest } = streaks(scenario);
  return {
    total_sessions: records.length,
    total_hours: roundedHours(total),
    average_session_length: records.length === 0 ? 0 : roundedHours(total / records.length),
    longest_session: roundedHours(Math.max(0, ...lengths)),
    shortest_session: roundedHours(records.length === 0 ? 0 : Math.min(...lengths)),
    study_days: secondsByDay(records.filter(counts), scenario).size,
    current_streak: current,
    longest_streak: longest,
    weekly_progress: weeksUpTo(now, scenario, [...days.keys()].sort()[0])
      .slice(-weeks)
      .map((week) => ({ week, hours: roundedHours(byWeek.get(week) ?? 0) })),
    daily: lastDays(localDay(now, scenario)).map((date) => ({ date, hours: roundedHours(days.get(date) ?? 0) })),
  };
}

function lastDays(today: string): string[] {
  const midnight = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: 371 }, (_, index) =>
    new Date(midnight - (370 - index) * 24 * hour).toISOString().slice(0, 10),
  );
}

function weeksUpTo(now: number, calendar: Calendar, firstDay: string | undefined): string[] {
  if (firstDay === undefined) return [];
  const weeks = new Set<string>();
  const today = localDay(now, calendar);
  for (let date = Date.parse(`${firstDay}T00:00:00Z`); ; date += 24 * hour) {
    const day = new Date(date).toISOString().slice(0, 10);
    if (day > today) return [...weeks];
    weeks.add(isoWeek(day));
  }
}

/** The additional fields of a user's statistics: today and this week. */
export function expectedToday(scenario: Scenario) {
  const { records, now, weekStart = 1 } = scenario;
  const seconds = secondsByDay(records, scenario);
  const today = localDay(now, scenario);
  const week = lastDays(today).slice(-1 - ((weekdayOf(today) - weekStart + 7) % 7));
  const hoursOf = (days: readonly string[]) =>
    roundedHours(days.reduce((sum, day) => sum + (seconds.get(day) ?? 0), 0));
  return { today_hours: hoursOf([today]), week_hours: hoursOf(week) };
}
