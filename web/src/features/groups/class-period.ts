import { useFormats } from '../../lib/format.ts';
import { useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { type Period, periodBefore, periodOf, termAt, turned, weekOf } from '../statistics/period.ts';

export const classPeriods = ['week', 'month', 'term'] as const;
export type ClassPeriod = (typeof classPeriods)[number];
/** A term is 13 weeks, unless the school has terms. */
export const periodDays = { week: 7, month: 28, term: 91 } as const satisfies Record<ClassPeriod, number>;

export const plus = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
export const daysOf = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The week of a day, or the 4 or 13 weeks up to it, without days to come. */
function periodUpTo(kind: ClassPeriod, on: string, today: string, weekStart: number): Period {
  if (kind !== 'week') return { from: plus(on, 1 - periodDays[kind]), to: on };
  const from = weekOf(on, weekStart);
  const end = plus(from, 6);
  return { from, to: end < today ? end : today };
}

/** As many days as in a period, so many days earlier. */
export const earlier = ({ from, to }: Period, days: number): Period => ({
  from: plus(from, -days),
  to: plus(to, -days),
});

/** The period that ends on a day, or with the week of it; by default today. */
export function useClassPeriod(kind: ClassPeriod, asked = '') {
  const { timezone, week_start } = useAccount();
  const today = useFormats(timezone).isoDay(Date.now());
  const on = isDate(asked) && asked < today ? asked : today;
  const { terms } = useSchoolYear();
  const term = kind === 'term' ? termAt(terms, on) : undefined;
  if (term !== undefined) {
    const period = periodOf('term', on, today, week_start % 7, terms);
    const next = turned('term', on, 1, terms);
    const isLatest = next === on || next > today;
    return {
      period,
      days: daysOf(period),
      /** Between terms, the last one is over. */
      isCurrent: period.to >= today,
      isLatest,
      before: periodBefore('term', period, terms),
      term,
      turned: (by: 1 | -1): string => (by > 0 ? (isLatest ? '' : next) : turned('term', on, -1, terms)),
    };
  }
  const period = periodUpTo(kind, on, today, week_start % 7);
  const isCurrent = period.to >= today;
  return {
    period,
    days: daysOf(period),
    isCurrent,
    /** There is no later one. */
    isLatest: isCurrent,
    before: earlier(period, periodDays[kind]),
    /** Of the school. */
    term: undefined,
    /** The last day of the neighbouring period; empty for the current one. */
    turned: (by: 1 | -1): string => {
      const next = plus(kind === 'week' ? plus(period.from, 6) : period.to, by * periodDays[kind]);
      return next < today ? next : '';
    },
  };
}
