import type { Actor } from '../../../../actor.ts';
import type { Periods } from '../../../../db/periods.ts';
import { NotFoundError } from '../../../../texts/errors.ts';
import type { Db } from '../../../../transactions/transactions.ts';
import { requireGroups } from '../../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../../accounts/groups/group-repository.ts';
import type { Calendars } from '../../../study/calendar/calendars.ts';
import { dayOfDate } from '../../../study/calendar/study-figures.ts';
import type { GroupStatisticsReadModel } from '../group-statistics/group-statistics-read-model.ts';
import { maxDays } from '../group-statistics/group-statistics-schemas.ts';
import { groupComparison, mostStudied } from './group-comparison.ts';
import type { GroupComparisonReadModel } from './group-comparison-read-model.ts';
import { type ComparisonQuery, type GroupComparison, maxProjects } from './group-comparison-schemas.ts';

export type GroupComparisonServiceOptions = {
  store: Db;
  readModel: GroupComparisonReadModel;
  weeks: Pick<GroupStatisticsReadModel, 'readWeek'>;
  calendars: Calendars;
  periods: Periods;
};
export type GroupComparisonService = ReturnType<typeof createGroupComparisonService>;

export function createGroupComparisonService({
  store,
  readModel,
  weeks,
  calendars,
  periods,
}: GroupComparisonServiceOptions) {
  async function requireGroup(actor: Actor, id: number) {
    const found = await groups.find(store, id);
    if (found === undefined) throw new NotFoundError('group_not_found');
    await requireGroups(store, actor, [id]);
    return found.group;
  }

  return {
    requireGroup,

    /** Of a period that is not over, the part so far is compared with the same part of the other one. */
    async read(actor: Actor, id: number, query: ComparisonQuery): Promise<GroupComparison> {
      const calendar = calendars.of(actor);
      const asked = await periods.period(calendar, query, { maxDays });
      const others = { from: query.other_from, to: query.other_to };
      const otherAsked = await periods.period(calendar, others, { maxDays, prefix: 'other_' });
      const { name } = await requireGroup(actor, id);
      const { today } = await weeks.readWeek(calendar);
      const period = { from: dayOfDate(asked.from), to: dayOfDate(asked.to) };
      const other = { from: dayOfDate(otherAsked.from), to: dayOfDate(otherAsked.to) };
      const isRunning = period.from <= today && today <= period.to;
      const shift = isRunning ? { daysAgo: period.from - other.from } : {};
      const now = await readModel.readMembers(id, period, calendar.now);
      const before = await readModel.readMembers(id, { ...other, ...shift }, calendar.now);
      const projects = await readModel.readProjects(mostStudied([...now, ...before], maxProjects));
      const passed = isRunning ? today - period.from + 1 : period.to - period.from + 1;
      const days = other.to - other.from + 1;
      return {
        group: { id, name },
        period: { ...asked, days: passed },
        other: { ...otherAsked, days: isRunning ? Math.min(days, passed) : days },
        is_running: isRunning,
        ...groupComparison(now, before, projects),
      };
    },
  };
}
