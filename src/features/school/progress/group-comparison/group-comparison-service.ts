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
  /** The ISO weekdays of lessons. */
  weekdays: readonly number[];
};
export type GroupComparisonService = ReturnType<typeof createGroupComparisonService>;

export function createGroupComparisonService({
  store,
  readModel,
  weeks,
  calendars,
  periods,
  weekdays,
}: GroupComparisonServiceOptions) {
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
      const { today } = await weeks.readWeek(calendar);
      const period = { from: dayOfDate(asked.from), to: dayOfDate(asked.to) };
      const other = { from: dayOfDate(otherAsked.from), to: dayOfDate(otherAsked.to) };
      const compared = comparedPeriods(period, other, today);
      const { samePart } = compared;
      const now = await readModel.readMembers(id, period, calendar.now);
      const before = await readModel.readMembers(id, { ...other, samePart }, calendar.now);
      const lessons = await readModel.readLessons(id);
      const lengthOf = ({ from, to }: typeof period) => ({
        days: to - from + 1,
        school_days: schoolDaysOf(lessons, weekdays, from, to),
      });
      const projects = await readModel.readProjects(mostStudied([...now, ...before], maxProjects));
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
