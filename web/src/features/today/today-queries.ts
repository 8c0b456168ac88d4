import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { byProject, createDays, type Part, type Stretch, within } from '../../lib/study-days.ts';
import { useElapsed, useTimer } from '../timer/timer-queries.ts';

const maxRecords = 100;
const maxRecordMilliseconds = 86_400_000;

export function useDashboard() {
  return useQuery({
    queryKey: ['stats', 'dashboard'],
    queryFn: async ({ signal }) => (await api.get('/api/dashboard', { signal })).data,
  });
}

/** The study of the current week, with the running timer up to now. */
export function useWeek() {
  const { id, timezone, day_start_hour, week_start } = useAccount();
  const { data: timer } = useTimer();
  const elapsed = useElapsed();
  const days = createDays(timezone, day_start_hour);
  const now = Date.parse(outbox.now());
  const today = days.dateOf(now);
  const dates = days.weekOf(today, week_start);
  const first = days.startOf(dates[0] ?? today);
  const { data } = useQuery({
    queryKey: ['sessions', id, 'week', first],
    queryFn: async ({ signal }) => {
      const from = new Date(first - maxRecordMilliseconds).toISOString();
      const query = { user_id: id, from, limit: maxRecords, running: 'false' } as const;
      return (await api.get('/api/sessions', { query, signal })).data.sessions;
    },
  });
  const finished = (data ?? []).map(
    ({ project_id, project_name, started_at, ended_at }): Stretch => ({
      ...{ project_id, project_name, from: Date.parse(started_at), to: Date.parse(ended_at ?? started_at) },
    }),
  );
  const running =
    timer == null
      ? []
      : [{ project_id: timer.project_id, project_name: timer.project_name, from: now - elapsed * 1000, to: now }];
  const stretches = [...finished, ...running];
  const partsOf = (date: string): Part[] =>
    byProject(within(stretches, days.startOf(date), days.startOf(days.plus(date, 1))));
  return {
    isLoaded: data !== undefined,
    now,
    today,
    dates: dates.map((date) => ({ date, parts: partsOf(date) })),
    /** The stretches of today, in order. */
    ofToday: within(stretches, days.startOf(today), days.startOf(days.plus(today, 1))).sort((a, b) => a.from - b.from),
    startOfToday: days.startOf(today),
  };
}
export type Week = ReturnType<typeof useWeek>;
