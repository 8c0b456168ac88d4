/** The periods that statistics are shown for; a term is one of the school, or 13 weeks if there is none. */
export const periodKinds = ['week', 'month', 'term', 'all'] as const;
export type PeriodKind = (typeof periodKinds)[number];
export type Period = { readonly from: string; readonly to: string };
export type Term = Period & { readonly name: string };

/** The term of a day, or between terms the one before it. */
export const termAt = (terms: readonly Term[], date: string): Term | undefined =>
  terms.findLast(({ from }) => from <= date);
const termBefore = (terms: readonly Term[], { from }: Period): Term | undefined =>
  terms.findLast(({ to }) => to < from);

const termWeeks = 13;
/** Charts over all time show as much as one request returns in whole weeks. */
const maxWeeks = 53;

const plus = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const monthLater = (date: string, months: number) =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1)).toISOString().slice(0, 10);

/** The first day of the week of a date; `weekStart` is 0 for Sunday. */
export const weekOf = (date: string, weekStart: number): string =>
  plus(date, -((new Date(date).getUTCDay() - weekStart + 7) % 7));

/** The period that contains a date, or ends with its week, without days to come. */
export function periodOf(
  kind: PeriodKind,
  date: string,
  today: string,
  weekStart: number,
  terms: readonly Term[] = [],
): Period {
  const term = kind === 'term' ? termAt(terms, date) : undefined;
  if (term !== undefined) return { from: term.from, to: term.to < today ? term.to : today };
  const week = weekOf(date, weekStart);
  const [from, end] = {
    week: [week, plus(week, 6)],
    month: [monthLater(date, 0), plus(monthLater(date, 1), -1)],
    term: [plus(week, -7 * (termWeeks - 1)), plus(week, 6)],
    all: [plus(week, -7 * (maxWeeks - 1)), plus(week, 6)],
  }[kind] as [string, string];
  return { from, to: end < today ? end : today };
}

/** A date in the next period, or with -1 in the one before. */
export function turned(kind: PeriodKind, date: string, by: 1 | -1, terms: readonly Term[] = []): string {
  const term = kind === 'term' ? termAt(terms, date) : undefined;
  if (term !== undefined)
    return by > 0
      ? (terms.find(({ from }) => from > term.from)?.from ?? date)
      : (termBefore(terms, term)?.from ?? plus(term.from, -1));
  if (kind === 'month') return monthLater(date, by);
  return plus(date, by * 7 * (kind === 'term' ? termWeeks : 1));
}

/** The whole period before; the service compares the same part of it while the other is not over. */
export function periodBefore(kind: Exclude<PeriodKind, 'all'>, { from }: Period, terms: readonly Term[] = []): Period {
  const term =
    kind === 'term' && termAt(terms, from)?.from === from ? termBefore(terms, { from, to: from }) : undefined;
  return term === undefined ? { from: turned(kind, from, -1), to: plus(from, -1) } : { from: term.from, to: term.to };
}

export const daysBetween = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** The last day of the week that begins on a date, within a period. */
export const weekEnd = (first: string, { to }: Period): string => (plus(first, 6) < to ? plus(first, 6) : to);
