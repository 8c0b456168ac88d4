import type { Actor } from '../../../../actor.ts';
import type { Periods } from '../../../../db/periods.ts';
import { NotFoundError } from '../../../../texts/errors.ts';
import type { Db } from '../../../../transactions/transactions.ts';
import { requireGroups } from '../../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../../accounts/groups/group-repository.ts';
import type { Calendars } from '../../../study/calendar/calendars.ts';
import { comparedPeriods } from '../../../study/calendar/compared-periods.ts';
import { schoolDaysOf } from '../../../study/calendar/day-kinds.ts';
import { dayOfDate } from '../../../study/calendar/study-figures.ts';
import { hoursOf } from '../../../study/study-sessions/session-times.ts';
import { median } from '../group-statistics/group-figures.ts';
import { readWeek } from '../group-statistics/group-statistics-read-model.ts';
import { maxDays } from '../group-statistics/group-statistics-schemas.ts';
import type { MemberRow, ProjectRow } from './group-comparison-read-model.ts';
import * as readModel from './group-comparison-read-model.ts';
import { type ComparisonQuery, type GroupComparison, maxProjects } from './group-comparison-schemas.ts';

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
function mostStudied(members: readonly MemberRow[], limit: number): number[] {
  const sums = new Map<number, number>();
  for (const { studied } of members) for (const [id, , seconds] of studied) sums.set(id, (sums.get(id) ?? 0) + seconds);
  return [...sums]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, limit)
    .map(([id]) => id);
}

/** The hours of the same members in two periods. */
function groupComparison(now: readonly MemberRow[], before: readonly MemberRow[], projects: readonly ProjectRow[]) {
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

export type GroupComparisonServiceOptions = {
  store: Db;
  calendars: Calendars;
  periods: Periods;
  /** The ISO weekdays of lessons. */
  weekdays: readonly number[];
};
export type GroupComparisonService = ReturnType<typeof createGroupComparisonService>;

export function createGroupComparisonService({ store, calendars, periods, weekdays }: GroupComparisonServiceOptions) {
  async function requireGroup(actor: Actor, id: number) {
    const found = await groups.find(store, id);
    if (found === undefined) throw new NotFoundError('group_not_found');
    await requireGroups(store, actor, [id]);
    return found.group;
  }

  return {
    requireGroup,

    async read(actor: Actor, id: number, query: ComparisonQuery): Promise<GroupComparison> {
      const calendar = calendars.of(actor);
      const asked = await periods.period(calendar, query, { maxDays });
      const others = { from: query.other_from, to: query.other_to };
      const otherAsked = await periods.period(calendar, others, { maxDays, prefix: 'other_' });
      const { name } = await requireGroup(actor, id);
      const { today } = await readWeek(store, calendar);
      const period = { from: dayOfDate(asked.from), to: dayOfDate(asked.to) };
      const other = { from: dayOfDate(otherAsked.from), to: dayOfDate(otherAsked.to) };
      const compared = comparedPeriods(period, other, today);
      const { samePart } = compared;
      const now = await readModel.readMembers(store, id, period, calendar.now);
      const before = await readModel.readMembers(store, id, { ...other, samePart }, calendar.now);
      const lessons = await readModel.readLessons(store, id);
      const lengthOf = ({ from, to }: typeof period) => ({
        days: to - from + 1,
        school_days: schoolDaysOf(lessons, weekdays, from, to),
      });
      const projects = await readModel.readProjects(store, mostStudied([...now, ...before], maxProjects));
      return {
        group: { id, name },
        period: { ...asked, ...lengthOf(compared.period) },
        other: { ...otherAsked, ...lengthOf(compared.other) },
        is_running: compared.isRunning,
        ...groupComparison(now, before, projects),
      };
    },
  };
}
