import { type Day, includesDay, isFree, type SpecialDays } from './day-kinds.ts';

/**
 * The day on which a project stopped being active, and the day on which it became active again (null: not yet). Days
 * strictly between them do not count, and no day from the first to the last breaks a run.
 */
export type Pause = readonly [first: Day, last: Day | null];
/** The day of a change of status, and whether the project was active from then on. */
export type StatusChange = readonly [day: Day, active: boolean];

/** `first` and `last` are days of study; `length` is the number of days that count. */
type Run = { first: Day; last: Day; length: number };

export type RunRules = Partial<SpecialDays> & {
  pauses?: readonly Pause[] | undefined;
  /** Whether the time zone skipped the day. */
  isSkipped?: ((day: Day) => boolean) | undefined;
};

/**
 * The runs of the given days of study, which are in ascending order without duplicates. A day that is off neither breaks
 * a run nor counts for it.
 */
export function studyRuns(
  days: readonly Day[],
  { rest_weekdays = [], off = [], school = [], pauses = [], isSkipped }: RunRules,
) {
  const special = { rest_weekdays, off, school };
  const paused = new Map<Day, 'counts' | 'frozen'>();
  for (const [first, last] of pauses) {
    const end = last ?? Math.max(first, days.at(-1) ?? first) + 1;
    for (let day = first; day <= end; day += 1)
      paused.set(day, day > first && (last === null || day < last) ? 'frozen' : (paused.get(day) ?? 'counts'));
  }
  const breaksRun = (day: Day) => !paused.has(day) && !isFree(special, day) && isSkipped?.(day) !== true;
  const follows = (last: Day, day: Day) => {
    for (let between = last + 1; between < day; between += 1) if (breaksRun(between)) return false;
    return true;
  };

  const runs: Run[] = [];
  /** Of the run up to each day. */
  const lengths: number[] = [];
  for (const day of days) {
    const counts = paused.get(day) === 'frozen' || includesDay(off, day) ? 0 : 1;
    const run = runs.at(-1);
    if (run !== undefined && follows(run.last, day)) {
      run.last = day;
      run.length += counts;
    } else runs.push({ first: day, last: day, length: counts });
    lengths.push(runs.at(-1)?.length ?? 0);
  }
  const currentOn = (on: Day): Run | undefined => {
    const run = runs.findLast(({ first }) => first <= on);
    return run !== undefined && follows(run.last, on) ? run : undefined;
  };
  return {
    runs,
    longest: Math.max(0, ...runs.map(({ length }) => length)),
    /** The first day on which a run has this length. */
    reaches: (length: number): Day | undefined => days[lengths.findIndex((reached) => reached >= length)],
    /** The length of the run that is current on a day: that day may still be studied. */
    current: (on: Day): number => currentOn(on)?.length ?? 0,
    /** The days of study of that run, with its length up to each. */
    growth(on: Day): ReadonlyMap<Day, number> {
      const run = currentOn(on);
      const length = new Map(days.map((day, index) => [day, lengths[index] ?? 0]));
      return new Map([...length].filter(([day]) => run !== undefined && run.first <= day && day <= run.last));
    },
  };
}

/** The pauses of a project from its changes of status to or from active, in order. */
export function pausesOf(changes: readonly StatusChange[]): Pause[] {
  return changes.flatMap(([first, active], index) => {
    const last = changes[index + 1]?.[0] ?? null;
    return active || first === last ? [] : [[first, last] as const];
  });
}
