import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { PersonalStatistics, ProjectStatistics, StudyTotals } from './statistics-read-model.ts';
import type { personalStatistics, statistics } from './statistics-schemas.ts';
import { daysShown } from './study-days.ts';

type StatisticsResponse = z.input<typeof statistics>;
type PersonalStatisticsResponse = z.input<typeof personalStatistics>;

export function toStatisticsResponse(
  { status, progress }: Pick<ProjectStatistics, 'status' | 'progress'>,
  totals: StudyTotals,
): StatisticsResponse {
  return toTotalsResponse(totals, status === 'completed' ? 100 : progress);
}

export function toPersonalStatisticsResponse(row: PersonalStatistics): PersonalStatisticsResponse {
  const { totals, completion_rate, timer } = row;
  return {
    ...toTotalsResponse(totals, completion_rate),
    today_hours: hoursOf(totals.seconds_today),
    week_hours: hoursOf(totals.this_week),
    by_category: totals.by_category.map(({ category, seconds }) => ({ category, hours: hoursOf(seconds) })),
    by_project: totals.by_project.map(({ seconds, ...project }) => ({ ...project, hours: hoursOf(seconds) })),
    running_timer: timer === undefined ? null : toSessionResponse(timer),
  };
}

function toTotalsResponse(totals: StudyTotals, completionRate: number): StatisticsResponse {
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
    weekly_progress: totals.weeks.map(({ week, seconds }) => ({ week, hours: hoursOf(seconds) })),
    daily: toDailyResponse(totals),
  };
}

/** Formatting the dates would take longer than everything else here; at most three dates are current anywhere. */
const shownDays = new LRUCache<string, readonly string[]>({
  max: 8,
  memoMethod: (today) => {
    const last = Date.parse(today) / 86_400_000;
    return Array.from({ length: daysShown }, (_, index) =>
      new Date((last - daysShown + 1 + index) * 86_400_000).toISOString().slice(0, 10),
    );
  },
});

function toDailyResponse({ today, daily }: Pick<StudyTotals, 'today' | 'daily'>): StatisticsResponse['daily'] {
  const days = shownDays.memo(today).map((date) => ({ date, hours: 0 }));
  for (const [ago, seconds] of daily) {
    const day = days.at(-1 - ago);
    if (day !== undefined) day.hours = hoursOf(seconds);
  }
  return days;
}
