/**
 * Statistics the slow and obvious way: records are walked by the minute, days by the hour, and the runtime's own time
 * zones say which local day a moment belongs to. Nothing here is shared with the service.
 */

/** A finished record: milliseconds since 1970. */
export type Stretch = { start: number; end: number };
/** From that moment on the project was active, or not. Before the first one it was active. */
export type StatusChange = { at: number; active: boolean };
type Story = { records: readonly Stretch[]; changes?: readonly StatusChange[]; zone: string; now: number };

const minute = 60_000;
const hour = 60 * minute;
const formats = new Map<string, Intl.DateTimeFormat>();

export function localDay(moment: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(moment);
}

/** Whole seconds from its start, each given to the local day it lies in. */
export function secondsByDay(records: readonly Stretch[], zone: string): Map<string, number> {
  const days = new Map<string, number>();
  for (const { start, end } of records) {
    for (let from = start; from < end; ) {
      const to = Math.min(end, (Math.floor(from / minute) + 1) * minute);
      const seconds = Math.floor((to - start) / 1000) - Math.floor((from - start) / 1000);
      const day = localDay(from, zone);
      if (seconds > 0) days.set(day, (days.get(day) ?? 0) + seconds);
      from = to;
    }
  }
  return days;
}

/** `2026-W07`: the week belongs to the year that its Thursday lies in. */
export function isoWeek(day: string): string {
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

/** Every local day from the first moment to the last, in order: a day that the zone left out does not appear. */
function daysBetween(first: number, last: number, zone: string): string[] {
  const days = new Set<string>();
  for (let moment = first; moment <= last; moment += hour) days.add(localDay(moment, zone));
  days.add(localDay(last, zone));
  return [...days].sort();
}

/** Every minute, and the moments before and after each change. */
function momentsToAsk(from: number, to: number, changes: readonly StatusChange[]): number[] {
  const moments = changes.flatMap((change) => [change.at - 1, change.at]);
  for (let moment = Math.floor(from / minute) * minute; moment < to; moment += minute) moments.push(moment);
  return moments.sort((a, b) => a - b);
}

type Day = 'counts' | 'neutral' | 'missed';

/** What each day is to a streak. */
function judgeDays({ records, changes = [], zone, now }: Story): { day: string; is: Day }[] {
  const studied = secondsByDay(records, zone);
  const first = Math.min(now, ...records.map((record) => record.start), ...changes.map((change) => change.at));
  const last = Math.max(now, ...records.map((record) => record.end));
  const activity = new Map<string, boolean[]>();
  for (const moment of momentsToAsk(first - 48 * hour, last + 48 * hour, changes)) {
    const day = localDay(moment, zone);
    const moments = activity.get(day) ?? [];
    activity.set(day, moments);
    moments.push(isActive(moment, changes));
  }
  return daysBetween(first, last, zone).map((day) => {
    const active = activity.get(day) ?? [];
    if (!active.includes(true)) return { day, is: 'neutral' };
    if (studied.has(day)) return { day, is: 'counts' };
    return { day, is: active[0] === true && active.at(-1) === true ? 'missed' : 'neutral' };
  });
}

export function streaks(story: Story): { current: number; longest: number } {
  const days = judgeDays(story);
  let longest = 0;
  let length = 0;
  for (const { is } of days) {
    if (is === 'counts') length += 1;
    if (is === 'missed') length = 0;
    longest = Math.max(longest, length);
  }

  const changes = story.changes ?? [];
  const left = changes.filter((change, index) => !change.active && (changes[index - 1]?.active ?? true)).at(-1);
  const frozen = left !== undefined && !isActive(story.now, changes) ? left.at : story.now;
  const today = localDay(frozen, story.zone);
  let current = 0;
  for (const { day, is } of days.toReversed()) {
    if (day > today && is !== 'counts') continue;
    if (is === 'missed' && day !== today) break;
    if (is === 'counts') current += 1;
  }
  return { current, longest };
}

/** The fields of a project's statistics that follow from records and time alone. */
export function expectedStatistics(story: Story, weeks: number) {
  const { records, zone, now } = story;
  const lengths = records.map(({ start, end }) => Math.floor((end - start) / 1000));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const days = secondsByDay(records, zone);
  const byWeek = new Map<string, number>();
  for (const [day, seconds] of days) byWeek.set(isoWeek(day), (byWeek.get(isoWeek(day)) ?? 0) + seconds);
  const { current, longest } = streaks(story);
  return {
    total_sessions: records.length,
    total_hours: roundedHours(total),
    average_session_length: records.length === 0 ? 0 : roundedHours(total / records.length),
    longest_session: roundedHours(Math.max(0, ...lengths)),
    shortest_session: roundedHours(records.length === 0 ? 0 : Math.min(...lengths)),
    study_days: days.size,
    current_streak: current,
    longest_streak: longest,
    weekly_progress: weeksUpTo(now, zone, [...days.keys()].sort()[0])
      .slice(-weeks)
      .map((week) => ({ week, hours: roundedHours(byWeek.get(week) ?? 0) })),
  };
}

function weeksUpTo(now: number, zone: string, firstDay: string | undefined): string[] {
  if (firstDay === undefined) return [];
  const weeks = new Set<string>();
  const today = localDay(now, zone);
  for (let date = Date.parse(`${firstDay}T00:00:00Z`); ; date += 24 * hour) {
    const day = new Date(date).toISOString().slice(0, 10);
    if (day > today) return [...weeks];
    weeks.add(isoWeek(day));
  }
}
