import { NotFoundError, PermissionDeniedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import { canManageProject, type Reader } from '../projects/project-access.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Period, PeriodReadModel } from './period-read-model.ts';
import { previousOf, studiedProjects, toPeriodResponse, toPersonalPeriodResponse } from './period-responses.ts';
import { maxPeriodDays } from './period-schemas.ts';
import type { StatisticsReadModel } from './statistics-read-model.ts';
import type { StatisticsQuery } from './statistics-schemas.ts';
import type { Calendar } from './study-days.ts';
import { dayOfDate, daysPassed, secondsBetween } from './study-figures.ts';
import type { Day } from './study-runs.ts';
import type { TimeZones } from './time-zones.ts';

export type StatisticsServiceOptions = {
  readModel: StatisticsReadModel;
  periods: PeriodReadModel;
  timeZones: TimeZones;
  clock: Clock;
};

export function createStatisticsService({ readModel, periods, timeZones, clock }: StatisticsServiceOptions) {
  /** In the requested time zone, with the preferences of the user whose statistics these are, or else of the caller. */
  async function calendar(actor: Actor, { tz, user_id = actor.id }: StatisticsQuery): Promise<Calendar> {
    if (tz !== undefined) await timeZones.require(tz, 'tz');
    return { zone: tz ?? actor.timezone, now: clock(), user_id };
  }

  /** The requested period, by default up to today; undefined if none was requested. */
  function periodOf({ from, to }: StatisticsQuery, today: Day): Period | undefined {
    if (from === undefined) return undefined;
    const first = dayOfDate(from);
    const last = to === undefined ? Math.max(first, today) : dayOfDate(to);
    if (last - first >= maxPeriodDays) throw ValidationError.of('from', 'period_too_long', { maximum: maxPeriodDays });
    return { from: first, to: last };
  }
  const withPrevious = (period: Period, { compare }: Pick<StatisticsQuery, 'compare'>): Period =>
    compare === undefined ? period : { ...period, from: previousOf(period).from };

  return {
    /** For users who can see the project; another `user_id` only for its owner and administrators. */
    async ofProject(actor: Actor, projectId: number, query: StatisticsQuery) {
      const userId = query.user_id ?? null;
      const days = await calendar(actor, query);
      const found = await readModel.readProject(actor, projectId, days, userId);
      if (found === undefined) throw new NotFoundError('project_not_found');
      const { totals, list, rows, day_ends_at, ...project } = found;
      if (totals === null) throw new PermissionDeniedError('project_not_visible');
      const ofAnother = userId !== null && userId !== actor.id;
      if (ofAnother && !canManageProject(actor, project)) throw new PermissionDeniedError('statistics_not_yours');
      const period = periodOf(query, totals.today);
      const row = period && (await periods.readProject(projectId, userId, days, withPrevious(period, query)));
      const during = { from: days.now.getTime(), until: Date.parse(day_ends_at) };
      return {
        project,
        totals,
        zone: days.zone,
        ...(period && row && { ofPeriod: toPeriodResponse(row, period, query.compare !== undefined) }),
        dependsOn: { projectIds: [projectId], cacheVersion: { list, rows }, during },
      };
    },

    /** Of a period, compared with the one before, with the hours a week so far and the seconds on each project; the caller checks the reader's rights. */
    async ofPeriod(
      reader: Reader,
      { id, timezone }: Pick<Actor, 'id' | 'timezone'>,
      dates: { from: string; to: string },
    ) {
      const period = { from: dayOfDate(dates.from), to: dayOfDate(dates.to) };
      const days = { zone: timezone, now: clock(), user_id: id };
      const row = await periods.readUser(reader, id, days, withPrevious(period, { compare: 'previous' }), period);
      const seconds = secondsBetween(row, period.from, period.to);
      return {
        figures: toPersonalPeriodResponse(row, period, true),
        hours_per_week: hoursOf((seconds / daysPassed(period, row.today)) * 7),
        studied: studiedProjects(row, period),
      };
    },

    /** Own statistics; those of any user for administrators. */
    async ofUser(actor: Actor, query: StatisticsQuery) {
      const userId = query.user_id ?? actor.id;
      if (userId !== actor.id && actor.role !== 'admin') throw new PermissionDeniedError('statistics_not_yours');
      const days = await calendar(actor, query);
      const found = await readModel.readUser(actor, userId, days);
      if (found === undefined) throw new NotFoundError('user_not_found');
      const period = periodOf(query, found.totals.today);
      const row = period && (await periods.readUser(actor, userId, days, withPrevious(period, query), period));
      const ofPeriod = period && row && toPersonalPeriodResponse(row, period, query.compare !== undefined);
      return { statistics: found, zone: days.zone, ofPeriod };
    },
  };
}

export type StatisticsService = ReturnType<typeof createStatisticsService>;
