import {
  dateOf,
  daysPassed,
  firstDayOfWeek,
  secondsBetween,
  studyDaysOf,
} from '../../../study/calendar/study-figures.ts';
import { hoursOf } from '../../../study/study-sessions/session-times.ts';
import { weeksShown } from '../progress-schemas.ts';
import type { MemberRow, Period, ProjectRow } from './group-statistics-read-model.ts';

/** The lower bounds of the distribution, in hours a week. Members without study are counted before the first. */
const bounds = [0, 2, 5, 10, 20];

/** The quantile with linear interpolation between the two nearest of the sorted values; 0 of none. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Median and the middle half, in hours. */
function middleOf(seconds: readonly number[]) {
  const sorted = seconds.toSorted((a, b) => a - b);
  return {
    lower_quartile: hoursOf(quantile(sorted, 0.25)),
    median: hoursOf(quantile(sorted, 0.5)),
    upper_quartile: hoursOf(quantile(sorted, 0.75)),
  };
}

function distributionOf(perWeek: readonly number[]) {
  const hours = perWeek.map((seconds) => seconds / 3600);
  const bars = bounds.map((from_hours, index) => {
    const to_hours = bounds[index + 1] ?? null;
    const users = hours.filter((each) => each > 0 && each >= from_hours && each < (to_hours ?? Infinity)).length;
    return { from_hours, to_hours, users };
  });
  return [{ from_hours: 0, to_hours: 0, users: hours.filter((each) => each === 0).length }, ...bars];
}

/** The figures of all members; `today` and the weeks are those of the reader. */
export function groupFigures(
  members: readonly MemberRow[],
  { from, to }: Period,
  { today, week_start }: { today: number; week_start: number },
) {
  const totals = members.map((member) => secondsBetween(member, from, to));
  const weeksPassed = daysPassed({ from, to }, today) / 7;
  const perWeek = totals.map((seconds) => seconds / weeksPassed);
  const weekly = [];
  for (let first = firstDayOfWeek(from, week_start); first <= to; first += 7) {
    const seconds = members.map((member) => secondsBetween(member, Math.max(from, first), Math.min(to, first + 6)));
    weekly.push({
      first_day: dateOf(first),
      active_members: seconds.filter((each) => each > 0).length,
      hours: hoursOf(seconds.reduce((sum, each) => sum + each, 0)),
      ...middleOf(seconds),
    });
  }
  return {
    members_count: members.length,
    active_members: totals.filter((each) => each > 0).length,
    total_hours: hoursOf(totals.reduce((sum, each) => sum + each, 0)),
    hours_per_week: middleOf(perWeek),
    distribution: distributionOf(perWeek),
    weekly,
  };
}

export function toMember(
  { user_id, username, display_name, days, uncounted, excused }: MemberRow,
  { from, to }: Period,
) {
  const seconds = new Map(days);
  return {
    user_id,
    username,
    display_name,
    total_hours: hoursOf(days.reduce((sum, [, each]) => sum + each, 0)),
    study_days: studyDaysOf({ days, uncounted }).length,
    daily: Array.from({ length: to - from + 1 }, (_, index) => hoursOf(seconds.get(from + index) ?? 0)),
    excused: excused.map(([first, last]) => ({ from: dateOf(first), to: dateOf(last) })),
  };
}

/** A shared target is the goal of all members: each of them is in the state of the project. */
export function toProject({ projects_total: _, weeks, states, ...row }: ProjectRow) {
  const seconds = new Map(weeks);
  const members = row.target_scope === 'each' ? states : { [row.state]: row.users_count };
  const { done = 0, ahead = 0, on_track = 0, slowing = 0, behind = 0, overdue = 0, not_started = 0 } = members;
  return {
    ...row,
    done,
    on_track: on_track + ahead,
    slowing,
    behind,
    overdue,
    not_started,
    without_goals: (members.no_target ?? 0) + (members.paused ?? 0),
    weeks: Array.from({ length: weeksShown }, (__, week) => hoursOf(seconds.get(week) ?? 0)),
  };
}
