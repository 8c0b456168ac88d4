import type { z } from 'zod';
import type { comparedPeriods } from '../calendar/compared-periods.ts';
import { type Day, isoWeekday, schoolDaysOf } from '../calendar/day-kinds.ts';
import { dateOf, daysPassed, firstDayOfWeek, isoWeek, secondsBetween, studyDaysOf } from '../calendar/study-figures.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Period, PeriodRow, PersonalPeriodRow } from './period-read-model.ts';
import type { periodFields, personalPeriodFields } from './period-schemas.ts';

type PeriodFields = { [Name in keyof typeof periodFields]: z.input<(typeof periodFields)[Name]> };
type PersonalPeriodFields = {
  [Name in keyof typeof personalPeriodFields]: z.input<(typeof personalPeriodFields)[Name]>;
};

/** The parts of a period and the other one that count, and what was studied in the other; undefined without one. */
export type Compared<Row> = ReturnType<typeof comparedPeriods> & {
  weekdays: readonly number[];
  before: { asked: Period; row: Row } | undefined;
};

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
    study_days: studyDaysOf(row, from, to).length,
    average_hours_per_day: hoursOf(seconds / daysPassed(period, row.today)),
  };
}

/** How long the part of a period is that counts. */
const lengthsOf = (row: PeriodRow, part: Period, weekdays: readonly number[]) => ({
  days: lengthOf(part),
  school_days: schoolDaysOf(row, weekdays, part.from, part.to),
});

/** The average is that of the days that count. */
function otherOf({ before, other, weekdays }: Compared<PeriodRow>) {
  if (before === undefined) return null;
  const { asked, row } = before;
  const average_hours_per_day = hoursOf(secondsBetween(row, other.from, other.to) / lengthOf(other));
  const dates = { from: dateOf(asked.from), to: dateOf(asked.to) };
  return { ...dates, ...totalsOf(row, asked), average_hours_per_day, ...lengthsOf(row, other, weekdays) };
}

/** The fields of statistics that are those of a period, and its own. */
export function toPeriodResponse(row: PeriodRow, period: Period, compared: Compared<PeriodRow>): PeriodFields {
  const { from, to } = period;
  const started = row.started.filter(([day]) => day >= from && day <= to);
  const totals = totalsOf(row, period);
  const length = started.reduce((sum, [, , seconds]) => sum + seconds, 0);
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
    is_running: compared.isRunning,
    ...lengthsOf(row, compared.period, compared.weekdays),
    previous: otherOf(compared),
  };
}

const projectsOf = ({ projects }: PersonalPeriodRow) =>
  projects.map(({ id, name, category, color, seconds }) => ({
    project_id: id,
    project_name: name,
    hours: hoursOf(seconds),
    category,
    color,
  }));

/** Also tags that only the other period has. */
function tagsOf({ tags }: PersonalPeriodRow, before: PersonalPeriodRow | undefined) {
  const now = new Map(tags);
  const then = new Map(before?.tags);
  const names = [...new Set([...now.keys(), ...then.keys()])].filter((tag) => tag !== null);
  return names.map((tag) => ({
    tag,
    hours: hoursOf(now.get(tag) ?? 0),
    previous_hours: before === undefined ? null : hoursOf(then.get(tag) ?? 0),
  }));
}

export function toPersonalPeriodResponse(
  row: PersonalPeriodRow,
  period: Period,
  compared: Compared<PersonalPeriodRow>,
): PersonalPeriodFields {
  const { from, to } = period;
  const names = new Map(row.projects.map(({ id, name }) => [id, name]));
  const fields = toPeriodResponse(row, period, compared);
  const before = compared.before?.row;
  const tagged = row.tags.find(([tag]) => tag === null)?.[1] ?? 0;
  const weekOf = (day: Day) => firstDayOfWeek(day, row.week_start);
  const weeks = daysOf({ from: weekOf(from), to }).filter((day) => weekOf(day) === day);
  return {
    ...fields,
    previous:
      fields.previous === null || before === undefined ? null : { ...fields.previous, by_project: projectsOf(before) },
    by_category: row.categories.map(([category, seconds]) => ({ category, hours: hoursOf(seconds) })),
    by_project: projectsOf(row),
    by_tag: tagsOf(row, before),
    tagged_hours: hoursOf(tagged),
    untagged_hours: hoursOf(secondsBetween(row, from, to) - tagged),
    weekly: weeks.map((first) => ({
      first_day: dateOf(first),
      hours: hoursOf(secondsBetween(row, Math.max(from, first), Math.min(to, first + 6))),
      by_project: row.weeks
        .filter(([week]) => week === first)
        .map(([, id, seconds]) => ({ project_id: id, project_name: names.get(id) ?? '', hours: hoursOf(seconds) })),
    })),
    by_hour: row.hours.map(([weekday, hour, seconds]) => ({ weekday, hour, hours: hoursOf(seconds) })),
  };
}
