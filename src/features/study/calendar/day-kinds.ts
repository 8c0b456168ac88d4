/** Days are numbered from 1970-01-01. */
export type Day = number;

/** Days in order, as ranges that do not touch. */
export type DayRanges = readonly (readonly [first: Day, last: Day])[];

/** What days are for a person, as the database has decided it (`specialDays`). */
export type SpecialDays = {
  /** ISO weekdays that do not break a run. */
  rest_weekdays: readonly number[];
  /** Days off and excused days. */
  off: DayRanges;
  /** Days of lessons, also on a rest weekday. */
  school: DayRanges;
};

/** 1 is Monday. */
export const isoWeekday = (day: Day): number => ((((day + 3) % 7) + 7) % 7) + 1;

export function includesDay(ranges: DayRanges, day: Day): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? day) < day) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low];
  return found !== undefined && found[0] <= day;
}

/** Whether nothing is expected of a day: it is off, or a rest weekday without lessons. */
export const isFree = ({ rest_weekdays, off, school }: SpecialDays, day: Day): boolean =>
  includesDay(off, day) || (rest_weekdays.includes(isoWeekday(day)) && !includesDay(school, day));

/** The days of the first that are not in the second. Most ranges of both are the same. */
export function daysWithout(days: DayRanges, others: DayRanges): DayRanges {
  const key = ([first, last]: DayRanges[number]) => `${first} ${last}`;
  const missing = (from: DayRanges, known: ReadonlySet<string>) => from.filter((range) => !known.has(key(range)));
  const left = missing(days, new Set(others.map(key)));
  return missing(others, new Set(days.map(key))).reduce<DayRanges>(
    (rest, [from, to]) =>
      rest.flatMap(([first, last]) =>
        to < first || from > last
          ? [[first, last] as const]
          : [[first, from - 1] as const, [to + 1, last] as const].filter(([begin, end]) => begin <= end),
      ),
    left,
  );
}

/** How many days from the first to the last have lessons, at a school that teaches on these ISO weekdays. */
export function schoolDaysOf(
  { off, school }: Pick<SpecialDays, 'off' | 'school'>,
  weekdays: readonly number[],
  first: Day,
  last: Day,
): number {
  let number = 0;
  for (let day = first; day <= last; day += 1)
    if (includesDay(school, day) || (weekdays.includes(isoWeekday(day)) && !includesDay(off, day))) number += 1;
  return number;
}

/** How many days from the first to the last are not off. */
export function daysOn(off: DayRanges, first: Day, last: Day): number {
  const days = off.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, last) - Math.max(from, first) + 1), 0);
  return Math.max(0, last - first + 1 - days);
}

/** The first of the latest days up to one that are not off. */
export function firstOfDaysOn(off: DayRanges, last: Day, number: number): Day {
  let first = last - number + 1;
  for (const [from, to] of off.toReversed()) {
    if (from > last) continue;
    if (to < first) break;
    first -= Math.min(to, last) - from + 1;
  }
  return first;
}

/** The last of the next days from one on that are not off. */
export function lastOfDaysOn(off: DayRanges, first: Day, number: number): Day {
  let last = first + number - 1;
  for (const [from, to] of off) {
    if (to < first) continue;
    if (from > last) break;
    last += to - Math.max(from, first) + 1;
  }
  return last;
}
