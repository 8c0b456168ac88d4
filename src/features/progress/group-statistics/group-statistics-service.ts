import { NotFoundError, ValidationError } from '../../../errors.ts';
import type { Store } from '../../../store.ts';
import type { Actor } from '../../auth/identity.ts';
import { dayOfDate, firstDayOfWeek } from '../../statistics/study-figures.ts';
import type { Calendars } from '../../statistics/time-zones.ts';
import { weeksShown } from '../progress-schemas.ts';
import { groupFigures, toMember, toProject } from './group-figures.ts';
import type { GroupStatisticsReadModel } from './group-statistics-read-model.ts';
import { type GroupStatisticsQuery, maxDays, maxProjects } from './group-statistics-schemas.ts';

export type GroupStatisticsServiceOptions = {
  store: Pick<Store, 'groups'>;
  readModel: GroupStatisticsReadModel;
  calendars: Calendars;
};
export type GroupStatisticsService = ReturnType<typeof createGroupStatisticsService>;

const weeksByDefault = 12;

export function createGroupStatisticsService({ store, readModel, calendars }: GroupStatisticsServiceOptions) {
  return {
    /** Throws NotFoundError; ValidationError for a period that ends before it begins or is too long. */
    async read(actor: Actor, id: number, { from, to, page, limit }: GroupStatisticsQuery) {
      const calendar = calendars.of(actor);
      const found = await store.groups.find(id);
      if (found === undefined) throw new NotFoundError('group_not_found');
      const week = await readModel.readWeek(calendar);
      const last = to === undefined ? Math.max(week.today, from === undefined ? 0 : dayOfDate(from)) : dayOfDate(to);
      const first =
        from === undefined ? firstDayOfWeek(last, week.week_start) - 7 * (weeksByDefault - 1) : dayOfDate(from);
      if (last < first) throw ValidationError.of('to', 'period_ends_early');
      if (last - first >= maxDays) throw ValidationError.of('from', 'period_too_long', { maximum: maxDays });
      const period = { from: first, to: last };
      const members = await readModel.readMembers(id, period, calendar.now);
      const firstWeek = firstDayOfWeek(week.today, week.week_start) - 7 * (weeksShown - 1);
      const projects = await readModel.readProjects(id, { max: maxProjects, firstWeek }, calendar);
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
