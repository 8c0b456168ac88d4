import type { Actor } from '../../../../actor.ts';
import type { Periods } from '../../../../db/periods.ts';
import { NotFoundError, ValidationError } from '../../../../texts/errors.ts';
import type { Db } from '../../../../transactions/transactions.ts';
import { requireGroups } from '../../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../../accounts/groups/group-repository.ts';
import type { Calendars } from '../../../study/calendar/calendars.ts';
import { dayOfDate, firstDayOfWeek } from '../../../study/calendar/study-figures.ts';
import { weeksShown } from '../progress-schemas.ts';
import { groupFigures, toMember, toProject } from './group-figures.ts';
import * as readModel from './group-statistics-read-model.ts';
import { type GroupStatisticsQuery, maxDays, maxProjects } from './group-statistics-schemas.ts';

export type GroupStatisticsServiceOptions = {
  store: Db;
  calendars: Calendars;
  periods: Periods;
};
export type GroupStatisticsService = ReturnType<typeof createGroupStatisticsService>;

const weeksByDefault = 12;

export function createGroupStatisticsService({ store, calendars, periods }: GroupStatisticsServiceOptions) {
  return {
    /** Throws NotFoundError; ValidationError for a period that ends before it begins or is too long. */
    async read(actor: Actor, id: number, { page, limit, ...given }: GroupStatisticsQuery) {
      const calendar = calendars.of(actor);
      const { from, to } = await periods.days(calendar, given, { maxDays });
      const found = await groups.find(store, id);
      if (found === undefined) throw new NotFoundError('group_not_found');
      await requireGroups(store, actor, [id]);
      const week = await readModel.readWeek(store, calendar);
      const last = to === undefined ? Math.max(week.today, from === undefined ? 0 : dayOfDate(from)) : dayOfDate(to);
      const first =
        from === undefined ? firstDayOfWeek(last, week.week_start) - 7 * (weeksByDefault - 1) : dayOfDate(from);
      if (last < first) throw ValidationError.of('to', 'period_ends_early');
      if (last - first >= maxDays) throw ValidationError.of('from', 'period_too_long', { maximum: maxDays });
      const period = { from: first, to: last };
      const members = await readModel.readMembers(store, id, period, calendar.now);
      const firstWeek = firstDayOfWeek(week.today, week.week_start) - 7 * (weeksShown - 1);
      const projects = await readModel.readProjects(store, id, { max: maxProjects, firstWeek }, calendar);
      return {
        group: { id, name: found.group.name },
        period,
        figures: groupFigures(members, period, week),
        members: members.slice((page - 1) * limit, page * limit).map((member) => toMember(member, period)),
        total: members.length,
        projects: projects.map(toProject),
        projects_total: projects[0]?.projects_total ?? 0,
      };
    },
  };
}
