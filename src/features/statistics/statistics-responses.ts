import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { PersonalStatistics, ProjectStatistics, StudyTotals } from './statistics-read-model.ts';
import { maxWeeks, type personalStatistics, type statistics } from './statistics-schemas.ts';
import { daysShown } from './study-days.ts';

type StatisticsResponse = z.input<typeof statistics>;
type PersonalStatisticsResponse = z.input<typeof personalStatistics>;

export function toStatisticsResponse(
  { status, progress }: Pick<ProjectStatistics, 'status' | 'progress'>,
  totals: StudyTotals,
  weeks: number,
): StatisticsResponse {
  return toTotalsResponse(totals, status === 'completed' ? 100 : progress, weeks);
}

export function toPersonalStatisticsResponse(row: PersonalStatistics, weeks: number): PersonalStatisticsResponse {
  const { totals, completion_rate, timer } = row;
  return {
    ...toTotalsResponse(totals, completion_rate, weeks),
    today_hours: hoursOf(totals.seconds_today),
    week_hours: hoursOf(totals.this_week),
    by_category: totals.by_category.map(({ category, seconds }) => ({ category, hours: hoursOf(seconds) })),
    by_project: totals.by_project.map(({ seconds, ...project }) => ({ ...project, hours: hoursOf(seconds) })),
    running_timer: timer === undefined ? null : toSessionResponse(timer),
  };
}

function toTotalsResponse(totals: StudyTotals, completionRate: number, weeks: number): StatisticsResponse {
  const { sessions, seconds } = totals;
  return {
    total_sessions: sessions,
    total_hours: hoursOf(seconds),
    average_session_length: hoursOf(sessions === 0 ? 0 : seconds / sessions),
    longest_session: hoursOf(totals.longest),
    shortest_session: hoursOf(totals.shortest),
    study_days: totals.days,
    current_streak: totals.current_streak,
    longest_streak: totals.longest_streak,
    completion_rate: completionRate,
    weekly_progress: toWeeklyResponse(totals, weeks),
    daily: toDailyResponse(totals),
  };
}

const dayLength = 86_400_000;

/** The label of the ISO week with this Thursday, whose year is that of the week. */
function isoWeek(thursday: Date): string {
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayLength / 7) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}

/**
 * By day: its weekday (0 is Monday), the dates up to it, oldest first, and the weeks up to its own, latest first.
 * Cached, since formatting the dates would take longer than everything else here; at most three dates are current anywhere.
 */
const shown = new LRUCache<string, { weekday: number; dates: readonly string[]; weeks: readonly string[] }>({
  max: 8,
  memoMethod: (day) => {
    const time = Date.parse(day);
    const ago = (days: number) => new Date(time - days * dayLength);
    const weekday = (ago(0).getUTCDay() + 6) % 7;
    return {
      weekday,
      dates: Array.from({ length: daysShown }, (_, index) =>
        ago(daysShown - 1 - index)
          .toISOString()
          .slice(0, 10),
      ),
      weeks: Array.from({ length: maxWeeks }, (_, index) => isoWeek(ago(weekday - 3 + 7 * index))),
    };
  },
});

function toDailyResponse({ today, daily }: StudyTotals): StatisticsResponse['daily'] {
  const days = shown.memo(today).dates.map((date) => ({ date, hours: 0 }));
  for (const [ago, seconds] of daily) {
    const day = days[daysShown - 1 - ago];
    if (day !== undefined) day.hours = hoursOf(seconds);
  }
  return days;
}

/** At most `atMost` weeks, from the first with study to the current one; none without records. */
function toWeeklyResponse(
  { sessions, today, first, daily }: StudyTotals,
  atMost: number,
): StatisticsResponse['weekly_progress'] {
  const { weekday, weeks } = shown.memo(today);
  const weeksAgo = (days: number) => Math.ceil((days - weekday) / 7);
  const number = sessions === 0 ? 0 : first === null ? atMost : Math.min(atMost, weeksAgo(first) + 1);
  const totals = weeks.slice(0, number).map((week) => ({ week, seconds: 0 }));
  for (const [ago, seconds] of daily) {
    const total = totals[weeksAgo(ago)];
    if (total !== undefined) total.seconds += seconds;
  }
  return totals.reverse().map(({ week, seconds }) => ({ week, hours: hoursOf(seconds) }));
}
