import { type DayRanges, daysWithout, includesDay, isFree } from '../../study/calendar/day-kinds.ts';
import {
  dateOf,
  firstDayOfWeek,
  type StudiedDays,
  skippedDays,
  studyDaysOf,
  studyFigures,
} from '../../study/calendar/study-figures.ts';
import { studyRuns } from '../../study/calendar/study-runs.ts';
import { requiredPerDay } from '../../study/goals/forecast.ts';
import type { GoalState } from '../../study/goals/goal-states.ts';
import type { JudgedGoal, StandingRow, Student } from './effect-read-model.ts';

type Of<Value> = { before: Value; after: Value };
type Person = Pick<Student, 'user_id' | 'display_name'>;
type StreakDay = { date: string; streak: number | null; off: boolean };
type ChangedStreak = Person & Of<number> & { week: StreakDay[] };
type ChangedGoal = Person &
  Pick<JudgedGoal, 'project_id' | 'project_name'> & { state: Of<GoalState>; minutes: Of<number> };
export type Effect = {
  students: number;
  /** Of them, those who get no reminders any more on some day from their today on. */
  quiet: number;
  /** Of study on the days that become days off. */
  seconds: number;
  streaks: ChangedStreak[];
  goals: ChangedGoal[];
};

const minutesOf = (goal: JudgedGoal): number =>
  Math.round(requiredPerDay(goal, Math.max(0, goal.target_seconds - goal.current_seconds)) / 60);

/** What differs between the standings of students before and after a change of days: the largest differences first. */
export function effectOf(
  students: readonly Student[],
  before: ReadonlyMap<number, StandingRow>,
  after: ReadonlyMap<number, StandingRow>,
): Omit<Effect, 'seconds'> {
  const streaks: ChangedStreak[] = [];
  const goals: ChangedGoal[] = [];
  let quiet = 0;
  for (const { zone, user_id, display_name } of students) {
    const [then, now] = [before.get(user_id), after.get(user_id)];
    if (then === undefined || now === undefined) continue; // deleted in the meantime
    if (isQuieter(then.studied, now.studied)) quiet += 1;
    const person = { user_id, display_name };
    const streakOf = ({ studied }: StandingRow) => studyFigures(studied, zone).current_streak;
    const streak = { before: streakOf(then), after: streakOf(now) };
    if (streak.before !== streak.after)
      streaks.push({ ...person, ...streak, week: weekOf(then.studied, now.studied, zone) });
    for (const goal of now.goals) {
      const old = then.goals.find(({ project_id }) => project_id === goal.project_id);
      if (old === undefined) continue;
      const minutes = { before: minutesOf(old), after: minutesOf(goal) };
      if (old.state === goal.state && minutes.before === minutes.after) continue;
      const { project_id, project_name } = goal;
      goals.push({ ...person, project_id, project_name, state: { before: old.state, after: goal.state }, minutes });
    }
  }
  const size = ({ before: a, after: b }: Of<number>) => Math.abs(b - a);
  return {
    students: students.length,
    quiet,
    streaks: streaks.sort((a, b) => size(b) - size(a)),
    goals: goals.sort((a, b) => size(b.minutes) - size(a.minutes)),
  };
}

/** The days that become days off for each student of whom there are some, up to today. */
export function newDaysOff(
  students: readonly Student[],
  before: ReadonlyMap<number, StandingRow>,
  after: ReadonlyMap<number, StandingRow>,
): (Student & { days: DayRanges })[] {
  return students.flatMap((student) => {
    const [then, now] = [before.get(student.user_id)?.studied, after.get(student.user_id)?.studied];
    const days = then && now ? daysWithout(now.off, then.off).filter(([first]) => first <= now.today) : [];
    return days.length === 0 ? [] : [{ ...student, days }];
  });
}

/** Whether nothing is expected any more of some day from today on, so that no reminder is sent. */
function isQuieter(then: StudiedDays, now: StudiedDays): boolean {
  return [...daysWithout(now.off, then.off), ...daysWithout(then.school, now.school)].some(([first, last]) => {
    for (let day = Math.max(first, now.today); day <= last; day += 1)
      if (isFree(now, day) && !isFree(then, day)) return true;
    return false;
  });
}

/** The week of the last day up to today that the change makes another one, with the current streak as it grows. */
function weekOf(then: StudiedDays, now: StudiedDays, zone: string): StreakDay[] {
  const isSame = (day: number) =>
    isFree(then, day) === isFree(now, day) && includesDay(then.off, day) === includesDay(now.off, day);
  const oldest = Math.min(now.today, ...[then, now].flatMap(({ days }) => days.slice(0, 1).map(([day]) => day)));
  let changed = now.today;
  while (isSame(changed) && changed > oldest) changed -= 1;
  const first = firstDayOfWeek(changed, now.week_start);
  const isSkipped = skippedDays(zone, now.day_start_hour);
  const streak = studyRuns(studyDaysOf(now), { ...now, isSkipped }).growth(now.today);
  return Array.from({ length: 7 }, (_, index) => {
    const day = first + index;
    return { date: dateOf(day), streak: streak.get(day) ?? null, off: includesDay(now.off, day) };
  });
}
