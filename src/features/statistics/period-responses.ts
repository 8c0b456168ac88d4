import type { z } from 'zod';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Period, PeriodRow, PersonalPeriodRow } from './period-read-model.ts';
import type { periodFields, personalPeriodFields } from './period-schemas.ts';
import { dateOf, daysPassed, firstDayOfWeek, isoWeek, secondsBetween } from './study-figures.ts';
import { type Day, isoWeekday } from './study-runs.ts';

type PeriodFields = { [Name in keyof typeof periodFields]: z.input<(typeof periodFields)[Name]> };
type PersonalPeriodFields = {
  [Name in keyof typeof personalPeriodFields]: z.input<(typeof personalPeriodFields)[Name]>;
};

/** As many projects as the lists of statistics have. */
const maxProjects = 20;

const daysOf = ({ from, to }: Period): Day[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const lengthOf = ({ from, to }: Period): number => to - from + 1;

/** The period of the same length before. */
export const previousOf = ({ from, to }: Period): Period => ({ from: from - lengthOf({ from, to }), to: from - 1 });

function totalsOf(row: PeriodRow, period: Period) {
  const { from, to } = period;
  const started = row.started.filter(([day]) => day >= from && day <= to);
  const seconds = secondsBetween(row, from, to);
  return {
    total_sessions: started.reduce((sum, [, number]) => sum + number, 0),
    total_hours: hoursOf(seconds),
    study_days: row.days.filter(([day]) => day >= from && day <= to).length,
    average_hours_per_day: hoursOf(seconds / daysPassed(period, row.today)),
  };
}

/** The fields of statistics that are those of a period, and its own. */
export function toPeriodResponse(row: PeriodRow, period: Period, compare: boolean): PeriodFields {
  const { from, to } = period;
  const started = row.started.filter(([day]) => day >= from && day <= to);
  const totals = totalsOf(row, period);
  const length = started.reduce((sum, [, , seconds]) => sum + seconds, 0);
  const before = previousOf(period);
  const seconds = new Map(row.days);
  const lastDay = Math.max(from, Math.min(to, row.today));
  const weeks = daysOf({ from: firstDayOfWeek(from, 1), to: lastDay }).filter((day) => isoWeekday(day) === 1);
  return {
    from: dateOf(from),
    to: dateOf(to),
    ...totals,
    average_session_length: hoursOf(totals.total_sessions === 0 ? 0 : length / totals.total_sessions),
    longest_session: hoursOf(Math.max(0, ...started.map(([, , , longest]) => longest))),
    shortest_session: hoursOf(started.length === 0 ? 0 : Math.min(...started.map(([, , , , shortest]) => shortest))),
    weekly_progress: weeks.map((monday) => ({
      week: isoWeek(monday),
      hours: hoursOf(secondsBetween(row, Math.max(from, monday), Math.min(to, monday + 6))),
    })),
    daily: daysOf(period).map((day) => ({ date: dateOf(day), hours: hoursOf(seconds.get(day) ?? 0) })),
    previous: compare ? { from: dateOf(before.from), to: dateOf(before.to), ...totalsOf(row, before) } : null,
  };
}

function sumBy<Key>(entries: readonly (readonly [key: Key, seconds: number])[]): [key: Key, seconds: number][] {
  const sums = new Map<Key, number>();
  for (const [key, seconds] of entries) sums.set(key, (sums.get(key) ?? 0) + seconds);
  return [...sums];
}

/** The projects of a period with their seconds, the most first. */
export function studiedProjects({ hours }: Pick<PersonalPeriodRow, 'hours'>, { from, to }: Period) {
  const inPeriod = hours.filter(([, day]) => day >= from && day <= to);
  return sumBy(inPeriod.map(([id, , , seconds]) => [id, seconds])).sort(([a, x], [b, y]) => y - x || a - b);
}

export function toPersonalPeriodResponse(
  row: PersonalPeriodRow,
  period: Period,
  compare: boolean,
): PersonalPeriodFields {
  const { from, to } = period;
  const hours = row.hours.filter(([, day]) => day >= from && day <= to);
  const projects = new Map(row.projects.map((project) => [project.id, project]));
  const byProject = studiedProjects(row, period);
  const shown = new Set(byProject.slice(0, maxProjects).map(([id]) => id));
  const named = (entries: readonly [number, number][]) =>
    entries.flatMap(([id, seconds]) => {
      const project = projects.get(id);
      return project === undefined || !shown.has(id)
        ? []
        : [{ project_id: id, project_name: project.name, hours: hoursOf(seconds) }];
    });
  const byCategory = sumBy(byProject.map(([id, seconds]) => [projects.get(id)?.category ?? 'other', seconds]));
  const weekOf = (day: Day) => firstDayOfWeek(day, row.week_start);
  const weeks = daysOf({ from: weekOf(from), to }).filter((day) => weekOf(day) === day);
  return {
    ...toPeriodResponse(row, period, compare),
    by_category: byCategory
      .sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
      .map(([category, seconds]) => ({ category, hours: hoursOf(seconds) })),
    by_project: named(byProject).flatMap((entry) => {
      const project = projects.get(entry.project_id);
      return project === undefined ? [] : [{ ...entry, category: project.category, color: project.color }];
    }),
    weekly: weeks.map((first) => ({
      first_day: dateOf(first),
      hours: hoursOf(secondsBetween(row, Math.max(from, first), Math.min(to, first + 6))),
      by_project: named(
        sumBy(hours.filter(([, day]) => weekOf(day) === first).map(([id, , , seconds]) => [id, seconds])).sort(
          ([a, x], [b, y]) => y - x || a - b,
        ),
      ),
    })),
    by_hour: sumBy(hours.map(([, day, hour, seconds]) => [isoWeekday(day) * 24 + hour, seconds]))
      .sort(([a], [b]) => a - b)
      .map(([slot, seconds]) => ({ weekday: Math.floor(slot / 24), hour: slot % 24, hours: hoursOf(seconds) })),
  };
}
