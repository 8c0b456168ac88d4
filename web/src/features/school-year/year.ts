import { useMeta } from '../../lib/use-meta.ts';
import type { Entry, Term } from './school-year-queries.ts';

export type DayKind = 'school' | 'off' | 'part' | 'make_up' | 'weekend' | 'outside';
export type YearDay = { date: string; kind: DayKind; name?: string };
type Dates = { from: string; to: string };

const dayMilliseconds = 86_400_000;
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);
export const lengthOf = ({ from, to }: Dates): number => (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1;
const latest = (...dates: string[]): string => dates.toSorted().at(-1) ?? '';
const earliest = (...dates: string[]): string => dates.toSorted()[0] ?? '';
/** 1 is Monday. */
const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;
const includes = ({ from, to }: Dates, date: string): boolean => from <= date && date <= to;
export const overlaps = (a: Dates, b: Dates): boolean => a.from <= b.to && b.from <= a.to;

/** A school year is from September to August; `first` is the year in which it begins. */
export const yearOf = (date: string): number => Number(date.slice(0, 4)) - (date.slice(5, 7) < '09' ? 1 : 0);
export const datesOfYear = (first: number): Dates => ({ from: `${first}-09-01`, to: `${first + 1}-08-31` });

/** The weekdays of lessons. */
export const useSchoolWeekdays = (): readonly number[] => useMeta().data?.school_weekdays ?? [1, 2, 3, 4, 5];

/** What each day is for the whole school; `part` if it differs for a class. */
export function daysOf(dates: Dates, terms: readonly Term[], entries: readonly Entry[], weekdays: readonly number[]) {
  return Array.from({ length: lengthOf(dates) }, (_, index): YearDay => {
    const date = plusDays(dates.from, index);
    const those = entries.filter((entry) => includes(entry, date));
    const of = (kind: Entry['kind']) => those.find((entry) => entry.group_id === null && entry.kind === kind);
    const [made, off, ofClass] = [of('school_day'), of('off'), those.find((entry) => entry.group_id !== null)];
    const isLesson = weekdays.includes(weekdayOf(date));
    if (made !== undefined && !isLesson) return { date, kind: 'make_up', name: made.name };
    if (ofClass !== undefined && (isLesson || ofClass.kind === 'school_day'))
      return { date, kind: 'part', name: ofClass.name };
    if (off !== undefined && made === undefined) return { date, kind: 'off', name: off.name };
    if (!isLesson) return { date, kind: 'weekend' };
    return { date, kind: terms.some((term) => includes(term, date)) ? 'school' : 'outside' };
  });
}

/** As the service counts them: of days off, those of the weekdays of lessons; of make-up days, the others. */
export const schoolDaysIn = (dates: Dates, kind: Entry['kind'], weekdays: readonly number[]): number =>
  Array.from({ length: lengthOf(dates) }, (_, index) => weekdayOf(plusDays(dates.from, index))).filter(
    (weekday) => weekdays.includes(weekday) === (kind === 'off'),
  ).length;

const isSchool = ({ kind }: YearDay): boolean => kind === 'school' || kind === 'part' || kind === 'make_up';

/** The school days of a term after a day. */
export const daysLeft = (days: readonly YearDay[], term: Term, after: string): number =>
  days.filter((day) => day.date > after && includes(term, day.date) && isSchool(day)).length;

const monday = (date: string): string => plusDays(date, 1 - weekdayOf(date));
/** The number of the week of a day in a period, from 1. */
export const weekIn = ({ from }: Dates, date: string): number => (lengthOf({ from: monday(from), to: date }) + 6) / 7;
export const weeksOf = (dates: Dates): number => Math.floor(weekIn(dates, dates.to));

export type Section = Dates & { term?: Term; name?: string; isOff: boolean };

/** The terms of a year, and what is between them: a holiday, or days that are in no term and not off. */
export function sectionsOf(year: Dates, terms: readonly Term[], days: readonly YearDay[]): Section[] {
  const sections: Section[] = [];
  const addGap = (from: string, to: string) => {
    if (from > to) return;
    const inside = days.filter(({ date, kind }) => from <= date && date <= to && kind !== 'weekend');
    const off = inside.find(({ kind }) => kind === 'off');
    const isOff = inside.every(({ kind }) => kind !== 'outside');
    sections.push({ from, to, isOff, ...(isOff && off?.name !== undefined && { name: off.name }) });
  };
  let next = year.from;
  for (const term of terms) {
    addGap(next, plusDays(term.from, -1));
    const [from, to] = [latest(term.from, year.from), earliest(term.to, year.to)];
    sections.push({ from, to, term, isOff: false });
    next = plusDays(to, 1);
  }
  if (terms.length > 0) addGap(next, year.to);
  // The days before the first term are the end of the holiday that is offered after the last one.
  return sections.map((section, index) => ({ ...section, isOff: section.isOff || (index === 0 && !section.term) }));
}

/** The days between terms that are to be off. After the last term of a year, they go on until the next one, or the end of August. */
export function openDays(terms: readonly Term[], year: Dates, { from, to }: Dates): Dates {
  if (to < year.to) return { from, to };
  const end = `${year.to.slice(0, 4)}-08-31`;
  const next = terms.find((term) => term.from > to && term.from <= end);
  return { from, to: next === undefined ? end : plusDays(next.from, -1) };
}
