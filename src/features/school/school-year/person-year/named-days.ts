import { type Day, type DayRanges, includesDay } from '../../../study/calendar/day-kinds.ts';
import { dateOf } from '../../../study/calendar/study-figures.ts';

export const kindsOfPerson = ['off', 'excused', 'school_day'] as const;
type Kind = (typeof kindsOfPerson)[number];

/** An entry of the school, of a class or of the person: those of classes first, which win over the school. */
export type NamedDays = { name: string; kind: Kind; first: Day; last: Day };
export type DecidedDays = Record<'off' | 'excused' | 'school', DayRanges>;
type PersonDays = { from: string; to: string; kind: Kind; name: string };

/** What special days are for a person, with the name of the entry that makes them so, as ranges in order. */
export function namedDaysOf(decided: DecidedDays, entries: readonly NamedDays[]): PersonDays[] {
  const ranges = { off: decided.off, excused: decided.excused, school_day: decided.school };
  const names = new Map<Day, { kind: Kind; name: string }>();
  for (const { name, kind, first, last } of entries)
    for (let day = first; day <= last; day += 1)
      if (!names.has(day) && includesDay(ranges[kind], day)) names.set(day, { kind, name });
  const found: PersonDays[] = [];
  let end: Day | undefined;
  for (const day of [...names.keys()].sort((a, b) => a - b)) {
    const what = names.get(day);
    const before = found.at(-1);
    if (what === undefined) continue;
    if (end === day - 1 && before?.kind === what.kind && before.name === what.name) before.to = dateOf(day);
    else found.push({ from: dateOf(day), to: dateOf(day), ...what });
    end = day;
  }
  return found;
}
