import { LRUCache } from 'lru-cache';
import { type Day, isoWeekday, type SpecialDays } from './day-kinds.ts';
import { type Pause, studyRuns } from './study-runs.ts';

/** Days of study with their seconds, in order, and the preferences of the user whose calendar they follow. */
export type StudiedDays = SpecialDays & {
  today: Day;
  days: [day: Day, seconds: number][];
  /** Those of them with short records only: their seconds count, but they are no days of study. */
  uncounted: Day[];
  day_start_hour: number;
  week_start: number;
};

const dayLength = 86_400_000;

export const dateOf = (day: Day): string => new Date(day * dayLength).toISOString().slice(0, 10);
export const dayOfDate = (date: string): Day => Date.parse(date) / dayLength;

/** How many days of a period have begun; at least 1. Averages leave out days to come. */
export const daysPassed = ({ from, to }: { from: Day; to: Day }, today: Day): number =>
  Math.max(1, Math.min(to, today) - from + 1);

/** The first day of the week that contains the day, in weeks that begin on this ISO weekday. */
export const firstDayOfWeek = (day: Day, weekStart: number): Day => day - ((isoWeekday(day) - weekStart + 7) % 7);

/** The label of the ISO week, whose year is that of its Thursday. */
export function isoWeek(day: Day): string {
  const thursday = firstDayOfWeek(day, 1) + 3;
  const year = new Date(thursday * dayLength).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1) / dayLength) / 7) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/** Since 2000 zones have skipped one date: 30 December 2011, when Samoa and Tokelau crossed the date line. */
const skippedDate = '2011-12-30';
const skips = new LRUCache<string, boolean>({
  max: 500,
  memoMethod: (zone) => {
    const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
    const noon = Date.parse(skippedDate) + dayLength / 2;
    return [-1, -0.5, 0, 0.5, 1].every((days) => format.format(noon + days * dayLength) !== skippedDate);
  },
});

/** Days that the zone skipped. Where days begin later than at midnight, hours of the next date remain of them. */
export function skippedDays(zone: string, dayStartHour: number): (day: Day) => boolean {
  const skipped = dayStartHour === 0 ? dayOfDate(skippedDate) : undefined;
  return (day) => day === skipped && skips.memo(zone);
}

/** The days of study in a period, or in all. */
export function studyDaysOf(
  { days, uncounted }: Pick<StudiedDays, 'days' | 'uncounted'>,
  first = -Infinity,
  last = Infinity,
) {
  const short = new Set(uncounted);
  return days.flatMap(([day]) => (day >= first && day <= last && !short.has(day) ? [day] : []));
}

/** The seconds from the first to the last day. */
export function secondsBetween({ days }: Pick<StudiedDays, 'days'>, first: Day, last: Day): number {
  return days.reduce((sum, [day, seconds]) => (day >= first && day <= last ? sum + seconds : sum), 0);
}

/** The figures that the start page, statistics and lists share. A streak may be as of another day than today. */
export function studyFigures(
  studied: StudiedDays,
  zone: string,
  { pauses, streakDay = studied.today }: { pauses?: readonly Pause[] | undefined; streakDay?: Day | undefined } = {},
) {
  const { today, day_start_hour, week_start, rest_weekdays, off, school } = studied;
  const counted = studyDaysOf(studied);
  const isSkipped = skippedDays(zone, day_start_hour);
  const runs = studyRuns(counted, { rest_weekdays, off, school, pauses, isSkipped });
  return {
    study_days: counted.length,
    studied_today: counted.includes(today),
    current_streak: runs.current(streakDay),
    longest_streak: runs.longest,
    seconds_today: secondsBetween(studied, today, today),
    seconds_this_week: secondsBetween(studied, firstDayOfWeek(today, week_start), today),
  };
}
