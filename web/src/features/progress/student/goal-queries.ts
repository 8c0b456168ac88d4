import { useQueries } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { type BurnUp, burnUp, dayOf } from '../../projects/burn-up.ts';
import { type Forecast, useForecasts } from '../../projects/forecast-queries.ts';
import type { StudentProject } from '../progress-queries.ts';

/** A target that the student is to reach alone. */
export type Goal = {
  project: StudentProject;
  forecast: Forecast;
  data: BurnUp;
  /** Days after the due date on which the target is reached at this pace; negative before it. */
  daysLate: number | undefined;
};

/** More goals are listed without a forecast. */
const maxGoals = 10;
type Person = { id: number; timezone: string };

/** Whether the student is to reach the target of a project alone. */
export const isGoal = ({ isOwn, target_scope, target_hours, weekly_goal_hours }: StudentProject): boolean =>
  (isOwn || target_scope === 'each') && (target_hours > 0 || weekly_goal_hours !== null);

const readDays = (project: number, { id, timezone }: Person) => ({
  queryKey: ['projects', 'stats', project, id],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { user_id: id, tz: timezone, weeks: 1 };
    return (await api.get('/api/projects/{id}/stats', { params: { id: project }, query, signal })).data;
  },
});

/** The goals of a student that are not completed, those that end latest after their due date first; undefined until all are read. */
export function useGoals(person: Person, projects: readonly StudentProject[], today: string): Goal[] | undefined {
  const shown = projects.filter((project) => isGoal(project) && project.status !== 'completed').slice(0, maxGoals);
  const { forecasts, isRead } = useForecasts(
    shown.map(({ id }) => id),
    person.id,
  );
  const days = useQueries({ queries: shown.map(({ id }) => readDays(id, person)) });
  const goals = shown.flatMap((project, index): Goal[] => {
    const [forecast, statistics] = [forecasts.get(project.id), days[index]?.data];
    if (forecast === undefined || statistics === undefined) return [];
    const { due_date: due, target_hours: target } = project;
    const projected = forecast.projected_completion;
    const data = burnUp({
      daily: statistics.daily,
      total: statistics.total_hours,
      today,
      began: forecast.began_on,
      target,
      due,
      projected,
    });
    const daysLate = due === null || projected === null ? undefined : dayOf(projected) - dayOf(due);
    return [{ project, forecast, data, daysLate }];
  });
  const isAllRead = isRead && days.every(({ isPending }) => !isPending);
  return isAllRead ? goals.toSorted((a, b) => urgency(b) - urgency(a)) : undefined;
}

const order = ['paused', 'done', 'no_target', 'ahead', 'on_track', 'not_started', 'slowing', 'behind', 'overdue'];
const urgency = ({ forecast, daysLate = 0 }: Goal): number => order.indexOf(forecast.state) * 10_000 + daysLate;

/** Whether the target will not be reached by its due date. */
export const isLate = ({ forecast: { state }, daysLate }: Goal): boolean =>
  ['overdue', 'behind', 'slowing'].includes(state) || (daysLate !== undefined && daysLate > 0);

/** Hours below the even pace today; 0 on it or above it. */
export const hoursBehind = ({ data }: Goal): number => Math.max(0, (data.evenAt(data.today) ?? 0) - data.total);
