import type { Actor, Reader } from '../../../actor.ts';
import type { Periods } from '../../../db/periods.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import type { Clock } from '../../../lib/clock.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { requireReaderOf } from '../../accounts/admin-scope/admin-scope.ts';
import { comparedPeriods } from '../calendar/compared-periods.ts';
import type { Day } from '../calendar/day-kinds.ts';
import type { Calendar } from '../calendar/study-days.ts';
import { dayOfDate, daysPassed, secondsBetween } from '../calendar/study-figures.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Period, PeriodPart, PeriodRow } from './period-read-model.ts';
import * as periodTotals from './period-read-model.ts';
import { type Compared, previousOf, toPeriodResponse, toPersonalPeriodResponse } from './period-responses.ts';
import { maxPeriodDays } from './period-schemas.ts';
import * as readModel from './statistics-read-model.ts';
import type { StatisticsQuery } from './statistics-schemas.ts';

export type StatisticsServiceOptions = {
  store: Db;
  periods: Periods;
  timeZones: TimeZones;
  /** The ISO weekdays of lessons. */
  weekdays: readonly number[];
  clock: Clock;
};

type Comparison = Pick<StatisticsQuery, 'compare' | 'other_from' | 'other_to'>;
type Dates = { from?: string | undefined; to?: string | undefined };

export function createStatisticsService({ store, periods, timeZones, weekdays, clock }: StatisticsServiceOptions) {
  /** In the requested time zone, with the preferences of the user whose statistics these are, or else of the caller. */
  async function calendar(actor: Actor, { tz, user_id = actor.id }: StatisticsQuery): Promise<Calendar> {
    if (tz !== undefined) await timeZones.require(tz, 'tz');
    return { zone: tz ?? actor.timezone, now: clock(), user_id };
  }

  /** The requested period, by default up to today; undefined if none was requested. */
  function periodOf({ from, to }: Dates, today: Day): Period | undefined {
    if (from === undefined) return undefined;
    const first = dayOfDate(from);
    const last = to === undefined ? Math.max(first, today) : dayOfDate(to);
    if (last - first >= maxPeriodDays) throw ValidationError.of('from', 'period_too_long', { maximum: maxPeriodDays });
    return { from: first, to: last };
  }
  /** The period to compare with: the requested one, or that of the same length before. */
  async function otherOf(days: Calendar, period: Period, query: Comparison): Promise<Period | undefined> {
    const given = { from: query.other_from, to: query.other_to };
    const other = await periods.days(days, given, { maxDays: maxPeriodDays, prefix: 'other_' });
    if (other.from !== undefined && other.to !== undefined)
      return { from: dayOfDate(other.from), to: dayOfDate(other.to) };
    return query.compare === undefined ? undefined : previousOf(period);
  }

  /** Reads a period, and the same part of the one to compare with. */
  async function readBoth<Row extends PeriodRow>(
    period: Period,
    other: Period | undefined,
    read: (part: PeriodPart) => Promise<Row>,
  ): Promise<{ row: Row; compared: Compared<Row> }> {
    const row = await read(period);
    const parts = comparedPeriods(period, other ?? period, row.today);
    const before = other && { asked: other, row: await read({ ...other, samePart: parts.samePart }) };
    return { row, compared: { ...parts, weekdays, before } };
  }

  return {
    /** For users who can see the project; another `user_id` only for its owner and administrators. */
    async ofProject(actor: Actor, projectId: number, query: StatisticsQuery) {
      const userId = query.user_id ?? null;
      const days = await calendar(actor, query);
      const dates = await periods.days(days, query, { maxDays: maxPeriodDays });
      const found = await readModel.readProject(store, actor, projectId, days, userId);
      if (found === undefined) throw new NotFoundError('project_not_found');
      const { totals, list, rows, day_ends_at, user_exists, ...project } = found;
      if (totals === null) throw new PermissionDeniedError('project_not_visible');
      const ofAnother = userId !== null && userId !== actor.id;
      const isOwner = project.user_id === actor.id && actor.role === 'user';
      if (ofAnother && !isOwner) await requireReaderOf(store, actor, userId, 'statistics_not_yours');
      if (!user_exists && actor.role !== 'user') throw new NotFoundError('user_not_found');
      const period = periodOf(dates, totals.today);
      const other = period && (await otherOf(days, period, query));
      const read = (part: PeriodPart) => periodTotals.readProject(store, projectId, userId, days, part);
      const both = period && (await readBoth(period, other, read));
      const now = days.now.getTime();
      // A part ends at the present time.
      const until = other === undefined ? Date.parse(day_ends_at) : now;
      return {
        project,
        totals,
        zone: days.zone,
        ...(period && both && { ofPeriod: toPeriodResponse(both.row, period, both.compared) }),
        dependsOn: { projectIds: [projectId], cacheVersion: { list, rows }, during: { from: now, until } },
      };
    },

    /** Of a period, compared with the one before, with the hours a week so far and the number of projects; the caller checks the reader's rights. */
    async ofPeriod(
      reader: Reader,
      { id, timezone }: Pick<Actor, 'id' | 'timezone'>,
      dates: { from: string; to: string },
    ) {
      const period = { from: dayOfDate(dates.from), to: dayOfDate(dates.to) };
      const days = { zone: timezone, now: clock(), user_id: id };
      const { row, compared } = await readBoth(period, previousOf(period), (part) =>
        periodTotals.readUser(store, reader, id, days, part),
      );
      const seconds = secondsBetween(row, period.from, period.to);
      return {
        figures: toPersonalPeriodResponse(row, period, compared),
        hours_per_week: hoursOf((seconds / daysPassed(period, row.today)) * 7),
        studied: row.studied,
      };
    },

    /** Own statistics; those of any user for administrators. */
    async ofUser(actor: Actor, query: StatisticsQuery) {
      const userId = query.user_id ?? actor.id;
      await requireReaderOf(store, actor, userId, 'statistics_not_yours');
      const days = await calendar(actor, query);
      const dates = await periods.days(days, query, { maxDays: maxPeriodDays });
      const found = await readModel.readUser(store, actor, userId, days);
      if (found === undefined) throw new NotFoundError('user_not_found');
      const period = periodOf(dates, found.totals.today);
      if (period === undefined) return { statistics: found, zone: days.zone };
      const other = await otherOf(days, period, query);
      const both = await readBoth(period, other, (part) => periodTotals.readUser(store, actor, userId, days, part));
      const ofPeriod = toPersonalPeriodResponse(both.row, period, both.compared);
      return { statistics: found, zone: days.zone, ofPeriod };
    },
  };
}

export type StatisticsService = ReturnType<typeof createStatisticsService>;
