import {
  counts,
  localDay,
  roundedHours,
  type Scenario,
  type StatusChange,
  type Stretch,
  secondsByDay,
  streaks,
  wallClock,
  weekdayOf,
} from './statistics-oracle.ts';

/**
 * What is so about a student, computed slowly and without anything of the service: day by day, from the rules as the API document
 * tells them.
 */

const dayLength = 86_400_000;
export const plus = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);

export type OracleProject = {
  id: number;
  target: number;
  due: string | null;
  weekly: number | null;
  status: string;
  /** When it was created, when its plan last changed, and when it was assigned to the student, if it was. */
  created: number;
  planned: number;
  assigned: number | null;
  records: readonly Stretch[];
  /** The records of all students. */
  allRecords: readonly Stretch[];
  /** When it stopped being active and became so again. */
  changes: readonly StatusChange[];
  isTrashed: boolean;
};
type Student = Omit<Scenario, 'records'> & { off: ReadonlySet<string> };

/** How many days from one to another are not off; none if they are in the wrong order. */
function daysOn(off: ReadonlySet<string>, first: string, last: string): number {
  let number = 0;
  for (let day = first; day <= last; day = plus(day, 1)) if (!off.has(day)) number += 1;
  return number;
}

/** The first of the latest days up to one that are not off. */
function firstOf(off: ReadonlySet<string>, last: string, number: number): string {
  let day = last;
  for (let left = number; ; day = plus(day, -1)) {
    if (!off.has(day)) left -= 1;
    if (left === 0) return day;
  }
}

const lengthOf = ({ start, end }: Stretch) => Math.floor((end - start) / 1000);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The seconds on the days from one to another. */
const between = (days: ReadonlyMap<string, number>, first: string, last: string) =>
  sum([...days].map(([day, seconds]) => (day >= first && day <= last ? seconds : 0)));

/** The days after the first one, of which each has the same share of the target: until today, and until the due date. */
function evenPace({ off, ...student }: Student, { due, records, created, assigned }: OracleProject) {
  const began = localDay(Math.min(assigned ?? created, ...records.map(({ start }) => start)), student);
  const until = (day: string) => daysOn(off, plus(began, 1), day);
  return { began, passed: until(localDay(student.now, student)), span: due === null ? 1 : Math.max(1, until(due)) };
}

/** The target of which the records are so many days' shares more than the even pace; none without a due date. */
export function targetAtPace(student: Student, project: OracleProject, days: number) {
  const { due, records } = project;
  const { passed, span } = evenPace(student, project);
  if (due === null || passed + days <= 0 || records.length === 0) return null;
  return Math.max(0.01, Math.round((sum(records.map(lengthOf)) * span) / (passed + days) / 36) / 100);
}

/** The goal of a student, who has this project alone or is to reach its target. */
export function expectedGoal(student: Student, project: OracleProject) {
  const { off, now } = student;
  const { records, due, weekly, status } = project;
  const day = (moment: number) => localDay(moment, student);
  const today = day(now);
  const target = Math.round(project.target * 3600);
  const current = sum(records.map(lengthOf));
  const { began, passed, span } = evenPace(student, project);
  const days = secondsByDay(records, student);
  const opens = firstOf(off, today, 28);
  const recent = between(days, opens, today);
  const studied = [...days.keys()].filter((each) => each >= opens).sort()[0];
  const planned = day(project.planned);
  const since = studied !== undefined && studied < planned ? studied : planned;
  const paceDays = Math.min(28, Math.max(7, daysOn(off, since, today)));
  const left = due === null ? null : daysOn(off, today, due);
  const needed = recent === 0 ? null : Math.ceil((Math.max(0, target - current) * paceDays) / recent);
  const even =
    target === 0
      ? null
      : due !== null
        ? Math.min(target, Math.floor((target * passed) / span))
        : weekly === null
          ? null
          : Math.min(target, Math.round((weekly * 3600 * passed) / 7));
  function state(): string {
    if (status === 'completed') return 'done';
    if (target > 0 && current >= target) return 'done';
    if (status === 'paused') return 'paused';
    if (target === 0 || (due === null && weekly === null)) return 'no_target';
    if (due !== null && due < today) return 'overdue';
    if (current === 0) {
      const assigned = day(project.assigned ?? project.created);
      return daysOn(off, plus(assigned, 1), today) <= 7 ? 'not_started' : 'behind';
    }
    if (due === null || left === null) return 'on_track';
    if (current * span < target * (passed - 1)) return 'behind';
    if (needed === null || needed > left) return 'slowing';
    return current * span > target * passed && (left - needed) * 10 >= left ? 'ahead' : 'on_track';
  }
  const is = state();
  const remaining = is === 'done' ? 0 : Math.max(0, target - current);
  return {
    state: is,
    current,
    target,
    own_progress: progressOf(current, target),
    forecast: {
      state: is,
      began_on: began,
      pace_days: paceDays,
      days_left: left,
      even_pace_hours: even === null ? null : roundedHours(even),
      remaining_hours: remaining > 0 ? Math.max(0.01, roundedHours(remaining)) : 0,
      behind_hours: is === 'behind' ? roundedHours(Math.max(0, (even ?? 0) - current)) : 0,
      pace_7d: roundedHours(between(days, firstOf(off, today, 7), today) / 7),
      pace_28d: roundedHours(recent / 28),
    },
  };
}

/** The statistics of a project, by the calendar of the student who reads them. */
export function expectedProject(student: Student, { allRecords: records, changes, target, status }: OracleProject) {
  const { current, longest } = streaks({ ...student, records, changes });
  const seconds = sum(records.map(lengthOf));
  return {
    total_sessions: records.length,
    total_hours: roundedHours(seconds),
    study_days: secondsByDay(records.filter(counts), student).size,
    current_streak: current,
    longest_streak: longest,
    completion_rate: status === 'completed' ? 100 : progressOf(seconds, Math.round(target * 3600)),
  };
}

/** In percent: 100 only when the target is reached. */
function progressOf(seconds: number, target: number): number {
  if (target === 0) return 0;
  return seconds >= target ? 100 : Math.min(99.99, Math.round((seconds * 10_000) / target) / 100);
}

/** What the members of a class have reached of the target of each, in percent. */
export function meanProgress(goals: readonly { current: number; target: number }[]): number | null {
  const reached = sum(goals.map(({ current, target }) => Math.min(current, target)));
  const target = sum(goals.map((goal) => goal.target));
  return target === 0 ? null : progressOf(reached, target);
}

const urgent = ['overdue', 'behind', 'slowing', 'not_started'] as const;

/** The class of attention, from all records of the student and the states of their active goals. */
export function expectedAttention(student: Student, records: readonly Stretch[], states: readonly string[]): string {
  const { now, off } = student;
  const today = localDay(now, student);
  const length = (Date.parse(today) - Date.parse(firstOf(off, today, 7))) / dayLength + 1;
  const last = Math.max(...records.map(({ end }) => end));
  const goals = states.filter((state) => state !== 'no_target');
  if (records.length > 0 && last <= now - length * dayLength) return 'silent';
  return urgent.find((state) => goals.includes(state)) ?? (goals.length > 0 ? 'on_track' : 'without_goals');
}

/** The part of records before a time. */
const until = (records: readonly Stretch[], end: number): Stretch[] =>
  records.filter(({ start }) => start < end).map((record) => ({ ...record, end: Math.min(record.end, end) }));

/** When the clock of the student showed the present time so many days ago: the later one of two; an hour later if it was skipped. */
function sameTimeAgo({ zone, now }: Pick<Student, 'zone' | 'now'>, days: number): number {
  const shown = wallClock(now, zone) - days * dayLength;
  const about = now - days * dayLength;
  for (const clock of [shown, shown + 3_600_000])
    for (let minutes = 180; minutes >= -180; minutes -= 30)
      if (wallClock(about + minutes * 60_000, zone) === clock) return about + minutes * 60_000;
  throw new Error('the clock has not shown that time');
}

/** The figures of a student over all projects. */
export function expectedPerson(student: Student, records: readonly Stretch[]) {
  const { now, weekStart = 1 } = student;
  const today = localDay(now, student);
  const week = plus(today, -((weekdayOf(today) - weekStart + 7) % 7));
  const days = secondsByDay(records, student);
  const hours = (first: string, last = first) => roundedHours(between(days, first, last));
  const then = sameTimeAgo(student, 7);
  const before = until(records, then);
  const studied = secondsByDay(records.filter(counts), student);
  return {
    today,
    week,
    hours,
    studyDays: (first: string, last: string) => [...studied.keys()].filter((day) => day >= first && day <= last).length,
    streaks: () => streaks({ ...student, records }),
    total: roundedHours(sum(records.map(lengthOf))),
    weeks: Array.from({ length: 8 }, (_, index) => hours(plus(week, 7 * (index - 7)), plus(week, 7 * (index - 7) + 6))),
    days: Array.from({ length: 8 }, (_, index) => hours(plus(today, index - 7))),
    daysStudied: Array.from({ length: 8 }, (_, index) => studied.has(plus(today, index - 7))),
    lastWeekSoFar: roundedHours(between(secondsByDay(before, student), plus(week, -7), plus(today, -7))),
    studiedByThen: secondsByDay(before.filter(counts), student).has(plus(today, -7)),
    /** Hours of as many days before, up to the same time. */
    hoursBefore: (length: number) => {
      const earlier = secondsByDay(until(records, sameTimeAgo(student, length)), student);
      return roundedHours(between(earlier, plus(today, 1 - 2 * length), plus(today, -length)));
    },
    soFar: (first: string, last: string) => roundedHours(between(secondsByDay(before, student), first, last)),
  };
}
