import { daysBetween, type Period } from './period.ts';
import { changeOf, type Statistics } from './statistics-queries.ts';

type Project = Statistics['by_project'][number];
export type Finding =
  | { kind: 'grew' | 'fell'; project: Project; change: number }
  | { kind: 'weekday'; best: number; bestHours: number; quietest: number; quietestHours: number };

/** The least change that is worth a sentence: an hour, and a fifth of what was there before. */
const [minHours, minShare] = [1, 0.2];
/** How far a weekday differs from the average. */
const minDeviation = 0.5;
/** Each weekday occurs at least twice. */
const minDays = 14;

/** What stands out in a period, three findings at most. Often there is nothing. */
export function findingsOf(statistics: Statistics, period: Period): Finding[] {
  const before = statistics.previous;
  const changes = statistics.by_project.flatMap((project) => {
    const change = changeOf(project, before);
    return change === undefined ? [] : [{ project, change }];
  });
  // A project that is no longer in the list has fallen to nothing.
  const gone = (before?.by_project ?? [])
    .filter(({ project_id: id }) => statistics.by_project.every(({ project_id }) => project_id !== id))
    .map((project) => ({ project: { ...project, hours: 0 }, change: -project.hours }));
  const notable = [...changes, ...(statistics.by_project.length < 20 ? gone : [])].filter(
    ({ project: { hours }, change }) => Math.abs(change) >= minHours && Math.abs(change) >= minShare * (hours - change),
  );
  const most = notable.toSorted((a, b) => b.change - a.change);
  const [grown, fallen] = [most[0], most.at(-1)];
  const weekday = daysBetween(period) < minDays ? undefined : weekdayOf(statistics);
  return [
    ...(grown !== undefined && grown.change > 0 ? [{ kind: 'grew' as const, ...grown }] : []),
    ...(fallen !== undefined && fallen.change < 0 ? [{ kind: 'fell' as const, ...fallen }] : []),
    ...(weekday === undefined ? [] : [weekday]),
  ];
}

/** The weekday with the most study on average, if one differs by half from the others. */
function weekdayOf({ daily }: Statistics): Finding | undefined {
  const average = (days: Statistics['daily']) =>
    days.reduce((sum, { hours }) => sum + hours, 0) / Math.max(1, days.length);
  const mean = average(daily);
  const weekdays = [1, 2, 3, 4, 5, 6, 7]
    .map((weekday) => ({
      weekday,
      hours: average(daily.filter(({ date }) => new Date(date).getUTCDay() === weekday % 7)),
    }))
    .sort((a, b) => b.hours - a.hours);
  const [best, quietest] = [weekdays[0], weekdays.at(-1)];
  if (best === undefined || quietest === undefined || mean === 0) return undefined;
  const differs = best.hours - mean >= minDeviation * mean || mean - quietest.hours >= minDeviation * mean;
  if (!differs) return undefined;
  return {
    kind: 'weekday',
    best: best.weekday,
    bestHours: best.hours,
    quietest: quietest.weekday,
    quietestHours: quietest.hours,
  };
}
