import { hoursOf } from '../../../study/study-sessions/session-times.ts';
import { median } from '../group-statistics/group-figures.ts';
import type { MemberRow, ProjectRow } from './group-comparison-read-model.ts';

type Studied = MemberRow['studied'];
type Both = { now: Studied; before: Studied };

const secondsOf = (studied: Studied) => studied.reduce((sum, [, , seconds]) => sum + seconds, 0);
const hoursOfBoth = (now: number, before: number) => ({ hours: hoursOf(now), other_hours: hoursOf(before) });

function compare(now: number, before: number) {
  const both = hoursOfBoth(now, before);
  return { ...both, change: Math.round((both.hours - both.other_hours) * 100) / 100 };
}

function byWeekday({ now, before }: Both) {
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) => {
    const on = (studied: Studied) => secondsOf(studied.filter(([, day]) => day === weekday));
    return { weekday, ...hoursOfBoth(on(now), on(before)) };
  });
}

const byProject = ({ now, before }: Both, projects: readonly ProjectRow[]) =>
  projects.map((project) => {
    const on = (studied: Studied) => secondsOf(studied.filter(([id]) => id === project.project_id));
    return { ...project, ...hoursOfBoth(on(now), on(before)) };
  });

/** The projects with the most hours in both periods. */
export function mostStudied(members: readonly MemberRow[], limit: number): number[] {
  const sums = new Map<number, number>();
  for (const { studied } of members) for (const [id, , seconds] of studied) sums.set(id, (sums.get(id) ?? 0) + seconds);
  return [...sums]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, limit)
    .map(([id]) => id);
}

/** The hours of the same members in two periods. */
export function groupComparison(
  now: readonly MemberRow[],
  before: readonly MemberRow[],
  projects: readonly ProjectRow[],
) {
  const former = new Map(before.map(({ user_id, studied }) => [user_id, studied]));
  const pairs = now.map((member) => ({
    member,
    both: { now: member.studied, before: former.get(member.user_id) ?? [] },
  }));
  const all = { now: pairs.flatMap(({ both }) => both.now), before: pairs.flatMap(({ both }) => both.before) };
  return {
    total: compare(secondsOf(all.now), secondsOf(all.before)),
    median: compare(
      median(pairs.map(({ both }) => secondsOf(both.now))),
      median(pairs.map(({ both }) => secondsOf(both.before))),
    ),
    by_project: byProject(all, projects),
    by_weekday: byWeekday(all),
    members: pairs.map(({ member: { user_id, username, display_name }, both }) => ({
      user_id,
      username,
      display_name,
      ...compare(secondsOf(both.now), secondsOf(both.before)),
      by_project: byProject(both, projects).filter(({ hours, other_hours }) => hours + other_hours > 0),
      by_weekday: byWeekday(both),
    })),
  };
}
