import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { byProject, createDays, type Part, type Stretch, secondsOf, within } from '../../lib/study-days.ts';
import { useRecordsBetween } from '../study-sessions/session-queries.ts';
import { useElapsed, useTimer } from '../timer/timer-queries.ts';

export function useDashboard() {
  return useQuery({
    queryKey: ['stats', 'dashboard'],
    queryFn: async ({ signal }) => (await api.get('/api/dashboard', { signal })).data,
  });
}

/** The records of the current week, whose dates these are. */
export function useWeekRecords() {
  const { id, timezone, day_start_hour, week_start } = useAccount();
  const days = createDays(timezone, day_start_hour);
  const now = Date.parse(outbox.now());
  const today = days.dateOf(now);
  const dates = days.weekOf(today, week_start);
  const [from, to] = [days.startOf(dates[0] ?? today), days.startOf(days.plus(dates[0] ?? today, 7))];
  const query = useRecordsBetween(id, new Date(from).toISOString(), new Date(to).toISOString());
  const records = query.isPlaceholderData ? undefined : query.data; // the placeholder is another week
  const isLoading = records === undefined && query.isFetching; // false if the request failed, or offline
  const { isError, error, refetch } = query;
  return { days, now, today, dates, records, isLoading, data: records, isError, error, refetch };
}

/** A day of study: its records in order, and the time of each project, most first. */
export type Day = { date: string; from: number; stretches: readonly Stretch[]; parts: readonly Part[] };

/** The study of the current week, with the running timer up to now; undefined without the records. */
export function useWeek() {
  const { days, now, today, dates, records } = useWeekRecords();
  const { data: timer } = useTimer();
  const elapsed = useElapsed();
  if (records === undefined) return undefined;
  const finished = records.flatMap(({ project_id, project_name, started_at, ended_at }): Stretch[] =>
    ended_at === null ? [] : [{ project_id, project_name, from: Date.parse(started_at), to: Date.parse(ended_at) }],
  );
  const running =
    timer == null
      ? []
      : [{ project_id: timer.project_id, project_name: timer.project_name, from: now - elapsed * 1000, to: now }];
  const stretches = [...finished, ...running];
  const ofDay = (date: string): Day => {
    const [from, to] = [days.startOf(date), days.startOf(days.plus(date, 1))];
    const ofDate = within(stretches, from, to).sort((a, b) => a.from - b.from);
    return { date, from, stretches: ofDate, parts: byProject(ofDate) };
  };
  const shown = dates.map(ofDay);
  return {
    now,
    days: shown,
    today: shown.find(({ date }) => date === today) ?? ofDay(today),
    /** The part of the running timer within today. */
    runningSeconds: secondsOf(byProject(within(running, days.startOf(today), now))),
    /** The seconds of a project in this week. */
    secondsOf: (id: number) => secondsOf(shown.flatMap(({ parts }) => parts.filter((part) => part.id === id))),
  };
}
export type Week = NonNullable<ReturnType<typeof useWeek>>;
