import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { idParams } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { Day } from '../calendar/day-kinds.ts';
import { dateOf, firstDayOfWeek, isoWeek, studyDaysOf, studyFigures } from '../calendar/study-figures.ts';
import { pausesOf } from '../calendar/study-runs.ts';
import type { ProjectAccessCheck } from '../project-access/project-access.ts';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { addedByPeriod } from './period-schemas.ts';
import type { PersonalStatistics, ProjectStatistics, ProjectTotals, StudyTotals } from './statistics-read-model.ts';
import { maxWeeks, personalStatistics, statistics, statisticsQuery } from './statistics-schemas.ts';
import type { StatisticsService } from './statistics-service.ts';

type StatisticsResponse = Omit<z.input<typeof statistics>, keyof typeof addedByPeriod>;
type PersonalStatisticsResponse = z.input<typeof personalStatistics>;
type Shown = { zone: string; weeks: number };

/**
 * The streak of an inactive project is as of the day it became inactive; if that day is unknown, because the project is
 * older than the status history, as of the last day of study.
 */
export function toStatisticsResponse(
  { status, progress }: Pick<ProjectStatistics, 'status' | 'progress'>,
  totals: ProjectTotals,
  { zone, weeks }: Shown,
): StatisticsResponse {
  const pauses = pausesOf(totals.changes);
  const lastDay = studyDaysOf(totals).at(-1);
  const stopped = pauses.find(([, last]) => last === null)?.[0];
  const streakDay = status === 'active' ? undefined : (stopped ?? lastDay);
  const figures = studyFigures(totals, zone, { pauses, streakDay });
  return { ...toTotalsResponse(totals, figures, weeks), completion_rate: status === 'completed' ? 100 : progress };
}

export function toPersonalStatisticsResponse(
  { totals, completion_rate, timer }: PersonalStatistics,
  { zone, weeks }: Shown,
): PersonalStatisticsResponse {
  const figures = studyFigures(totals, zone);
  return {
    ...toTotalsResponse(totals, figures, weeks),
    completion_rate,
    today_hours: hoursOf(figures.seconds_today),
    week_hours: hoursOf(figures.seconds_this_week),
    by_category: totals.by_category.map(({ category, seconds }) => ({ category, hours: hoursOf(seconds) })),
    by_project: totals.by_project.map(({ seconds, ...project }) => ({ ...project, hours: hoursOf(seconds) })),
    running_timer: timer === undefined ? null : toSessionResponse(timer),
  };
}

function toTotalsResponse(
  totals: StudyTotals,
  { current_streak, longest_streak, study_days }: ReturnType<typeof studyFigures>,
  weeks: number,
): Omit<StatisticsResponse, 'completion_rate'> {
  const { sessions, seconds } = totals;
  return {
    total_sessions: sessions,
    total_hours: hoursOf(seconds),
    average_session_length: hoursOf(sessions === 0 ? 0 : seconds / sessions),
    longest_session: hoursOf(totals.longest),
    shortest_session: hoursOf(totals.shortest),
    study_days,
    current_streak,
    longest_streak,
    weekly_progress: toWeeklyResponse(totals, weeks),
    daily: toDailyResponse(totals),
  };
}

/** The number of days in `daily`, up to today. */
const daysShown = 371;

/**
 * By day: the dates up to it, oldest first, and the weeks up to its own, latest first. Cached, since formatting the dates
 * would take longer than everything else here; at most three dates are current anywhere.
 */
const labels = new LRUCache<Day, { dates: readonly string[]; weeks: readonly string[] }>({
  max: 8,
  memoMethod: (today) => ({
    dates: Array.from({ length: daysShown }, (_, index) => dateOf(today - daysShown + 1 + index)),
    weeks: Array.from({ length: maxWeeks }, (_, index) => isoWeek(today - 7 * index)),
  }),
});

function toDailyResponse({ today, days }: StudyTotals): StatisticsResponse['daily'] {
  const daily = labels.memo(today).dates.map((date) => ({ date, hours: 0 }));
  for (const [day, seconds] of days) {
    const shown = daily[day - today + daysShown - 1];
    if (shown !== undefined) shown.hours = hoursOf(seconds);
  }
  return daily;
}

/** At most `atMost` weeks, from the first with study to the current one; none without records. */
function toWeeklyResponse(
  { sessions, today, days }: StudyTotals,
  atMost: number,
): StatisticsResponse['weekly_progress'] {
  const thisWeek = firstDayOfWeek(today, 1);
  const weeksAgo = (day: Day) => (thisWeek - firstDayOfWeek(day, 1)) / 7;
  const first = days[0]?.[0];
  const number = sessions === 0 ? 0 : first === undefined ? atMost : Math.min(atMost, weeksAgo(first) + 1);
  const totals = labels
    .memo(today)
    .weeks.slice(0, number)
    .map((week) => ({ week, seconds: 0 }));
  for (const [day, seconds] of days) {
    const total = totals[weeksAgo(day)];
    if (total !== undefined) total.seconds += seconds;
  }
  return totals.reverse().map(({ week, seconds }) => ({ week, hours: hoursOf(seconds) }));
}

export type StatisticsRoutesOptions = { service: StatisticsService; access: ProjectAccessCheck };

const noDays = { daily: [] };

export function createStatisticsRoutes({ service, access }: StatisticsRoutesOptions): Operation[] {
  const base = {
    tag: 'Statistics',
    method: 'get',
    access: 'user',
    query: statisticsQuery,
    cost: 'statistics',
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  } as const;

  return [
    operation({
      ...base,
      path: '/api/projects/:id/stats',
      id: 'getProjectStatistics',
      summary: 'Get the statistics of a project',
      description:
        'Covers the finished records of all users on it, or with `user_id` those of one user: the caller, or any user for the owner and administrators. A record of at least a minute counts for each local day it touches. The start of days and the days of rest follow the preferences of that user, or else of the caller.',
      params: idParams,
      data: statistics,
      // A change of another user's preferences does not change the list version of the reader.
      cached: { unless: ({ user_id }) => user_id !== undefined },
      guard: ({ actor, params }) => access.requireView(actor, params.id),
      handler: async ({ actor, params, query }) => {
        const { project, totals, zone, ofPeriod, dependsOn } = await service.ofProject(actor, params.id, query);
        const data = toStatisticsResponse(project, totals, { zone, weeks: query.weeks });
        return { data: { ...data, ...ofPeriod, ...(!query.daily && noDays) }, dependsOn };
      },
    }),

    operation({
      ...base,
      path: '/api/stats',
      id: 'getStatistics',
      summary: 'Get the statistics of a user',
      description:
        "Covers the caller's finished records on all projects; administrators may request another `user_id`. Days and weeks follow the preferences of that user.",
      data: personalStatistics,
      handler: async ({ actor, query }) => {
        const { statistics, zone, ofPeriod } = await service.ofUser(actor, query);
        const data = toPersonalStatisticsResponse(statistics, { zone, weeks: query.weeks });
        return { data: { ...data, ...ofPeriod, ...(!query.daily && noDays) } };
      },
    }),
  ];
}
