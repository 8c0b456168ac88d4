import type { Schemas } from '../../../lib/api.ts';
import { dateOf } from '../../projects/burn-up.ts';
import type { Goal } from './goal-queries.ts';

type Day = { date: string; hours: number };

/** Days without study that are worth a word. */
const longGap = 5;
/** After a gap, a return is news for as many days. */
const freshDays = 3;

export type Headline =
  | { kind: 'silent'; count: number }
  | { kind: 'back'; count: number; date: string; hours: number }
  | { kind: 'studied'; count: number };

/** What stands out in the last days, oldest first, today last: silence, a return after it, or else how often. */
export function headlineOf(days: readonly Day[], silentDays: number): Headline {
  const last = days.findLastIndex(({ hours }) => hours > 0);
  if (silentDays > 0) return { kind: 'silent', count: silentDays };
  const before = days.slice(0, Math.max(0, last)).findLastIndex(({ hours }) => hours > 0);
  const gap = last - before - 1;
  const back = days[last];
  if (back !== undefined && before >= 0 && gap >= longGap && days.length - last <= freshDays)
    return { kind: 'back', count: gap, date: back.date, hours: back.hours };
  return { kind: 'studied', count: days.filter(({ hours }) => hours > 0).length };
}

/** The two hours of the day with most study, if they have a third of it. */
export function usualHours(byHour: Schemas['PersonalStatistics']['by_hour'] = []): [number, number] | undefined {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { hour, hours: own } of byHour) hours[hour] = (hours[hour] ?? 0) + own;
  const pairs = hours.map((own, hour) => own + (hours[(hour + 1) % 24] ?? 0));
  const most = Math.max(...pairs);
  const total = hours.reduce((sum, own) => sum + own, 0);
  if (total === 0 || most * 3 < total) return undefined;
  const first = pairs.indexOf(most);
  return [first, (first + 2) % 24];
}

export type Change =
  | { kind: 'did'; date: string; hours: number; project?: string }
  | { kind: 'quiet'; date: string; to: string }
  | { kind: 'behind' | 'reached'; date: string; project: string };

const mostChanges = 6;

/** What happened in these days, the latest first: the last study, stretches without it, goals that fell behind or were reached. */
export function changesOf(days: readonly Day[], goals: readonly Goal[], lastProject: string | undefined): Change[] {
  const changes: Change[] = [];
  const last = days.findLast(({ hours }) => hours > 0);
  if (last !== undefined)
    changes.push({ kind: 'did', date: last.date, hours: last.hours, ...(lastProject && { project: lastProject }) });
  let from = 0;
  days.forEach((day, index) => {
    if (day.hours === 0 && index < days.length - 1) return;
    const to = day.hours === 0 ? index : index - 1;
    const [first, end] = [days[from], days[to]];
    if (to - from + 1 >= longGap && first && end) changes.push({ kind: 'quiet', date: first.date, to: end.date });
    from = index + 1;
  });
  const since = days[0]?.date ?? '';
  for (const { project, data } of goals) {
    const { points, target, evenAt, from: begin } = data;
    const reached = target === 0 ? -1 : points.findIndex((hours) => hours >= target);
    if (reached >= 0) changes.push({ kind: 'reached', date: dateOf(begin + reached), project: project.name });
    const isBelow = (index: number) => (points[index] ?? 0) < (evenAt(begin + index) ?? 0);
    const above = points.findLastIndex((_, index) => !isBelow(index));
    if (above >= 0 && above < points.length - 1)
      changes.push({ kind: 'behind', date: dateOf(begin + above + 1), project: project.name });
  }
  return changes
    .filter(({ date }) => date >= since)
    .toSorted((a, b) => (b.date < a.date ? -1 : Number(b.date > a.date)))
    .slice(0, mostChanges);
}
