import { type Day, type DayRanges, includesDay } from '../../../study/calendar/day-kinds.ts';
import { dateOf } from '../../../study/calendar/study-figures.ts';

export const kindsOfPerson = ['off', 'excused', 'school_day'] as const;
type Kind = (typeof kindsOfPerson)[number];

/** An entry of the school, of a class or of the person: those of classes first, which win over the school. */
export type NamedDays = { name: string; kind: Kind; first: Day; last: Day };
export type DecidedDays = Record<'off' | 'excused' | 'school', DayRanges>;
type PersonDays = { from: string; to: string; kind: Kind; name: string };

/**
 * What special days are for a person, with the name of the entry that makes them so, as ranges in order. What a day is
 * changes only where an entry begins or ends, so each span in between is looked up once, however long it is.
 */
export function namedDaysOf(decided: DecidedDays, entries: readonly NamedDays[]): PersonDays[] {
  const ranges = { off: decided.off, excused: decided.excused, school_day: decided.school };
  const starts = [...new Set(entries.flatMap(({ first, last }) => [first, last + 1]))].sort((a, b) => a - b);
  const found: { kind: Kind; name: string; first: Day; last: Day }[] = [];
  for (const [index, day] of starts.entries()) {
    const kind = kindsOfPerson.find((one) => includesDay(ranges[one], day));
    const entry = entries.find((one) => one.kind === kind && one.first <= day && day <= one.last);
    const next = starts[index + 1];
    if (entry === undefined || next === undefined) continue;
    const before = found.at(-1);
    if (before?.last === day - 1 && before.kind === entry.kind && before.name === entry.name) before.last = next - 1;
    else found.push({ kind: entry.kind, name: entry.name, first: day, last: next - 1 });
  }
  return found.map(({ kind, name, first, last }) => {
    const from = dateOf(first);
    return { from, to: first === last ? from : dateOf(last), kind, name };
  });
}
