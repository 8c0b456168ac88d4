import { NotFoundError, PermissionDeniedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import { canManageProject } from '../projects/project-policy.ts';
import type { Calendar, StatisticsReadModel } from './statistics-read-model.ts';
import type { StatisticsQuery } from './statistics-schemas.ts';
import type { TimeZones } from './time-zones.ts';

export type StatisticsServiceOptions = { readModel: StatisticsReadModel; timeZones: TimeZones; clock: Clock };

/** Figures as JSON text. Methods throw NotFoundError and PermissionDeniedError where they apply. */
export function createStatisticsService({ readModel, timeZones, clock }: StatisticsServiceOptions) {
  async function calendar(actor: Actor, { tz, weeks }: StatisticsQuery): Promise<Calendar> {
    const zone = await timeZones.find(tz ?? actor.timezone);
    if (zone === undefined && tz !== undefined) throw ValidationError.of('tz', 'invalid_time_zone');
    return { zone: zone ?? 'UTC', now: clock(), weeks };
  }

  return {
    /** A project's figures, for whoever sees it; those of another user on it for its owner and administrators. */
    async ofProject(actor: Actor, projectId: number, query: StatisticsQuery): Promise<string> {
      const figures = await readModel.readProject(
        actor,
        projectId,
        await calendar(actor, query),
        query.user_id ?? null,
      );
      if (figures === undefined) throw new NotFoundError('project_not_found');
      if (figures.json === null) throw new PermissionDeniedError('project_not_visible');
      const ofAnother = query.user_id !== undefined && query.user_id !== actor.id;
      if (ofAnother && !canManageProject(actor, figures)) throw new PermissionDeniedError('statistics_not_yours');
      return figures.json;
    },

    /** A person's figures over all projects: one's own; anybody's for administrators. */
    async ofUser(actor: Actor, query: StatisticsQuery): Promise<string> {
      const userId = query.user_id ?? actor.id;
      if (userId !== actor.id && actor.role !== 'admin') throw new PermissionDeniedError('statistics_not_yours');
      const json = await readModel.readUser(actor, userId, await calendar(actor, query));
      if (json === undefined) throw new NotFoundError('user_not_found');
      return json;
    },
  };
}

export type StatisticsService = ReturnType<typeof createStatisticsService>;
