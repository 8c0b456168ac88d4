import { z } from 'zod';
import { NotFoundError } from '../../errors.ts';
import { timestamp } from '../../http/fields.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { achievementNames, describeAchievement } from './achievement-catalogue.ts';
import { iconHeaders, readIcons } from './achievement-icons.ts';
import type { AchievementRepository } from './achievement-repository.ts';

const achievement = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    icon: z.string().meta({ description: 'The path of a picture of this service.' }),
    earned_at: timestamp.nullable(),
  })
  .meta({ id: 'Achievement', example: { ...describeAchievement(1, 'en'), earned_at: null } });

export function createAchievementRoutes(repository: AchievementRepository): Operation[] {
  const icons = readIcons();

  return [
    operation({
      method: 'get',
      path: '/api/achievements',
      id: 'listAchievements',
      tag: 'Statistics',
      summary: 'List all achievements, with when the caller earned them',
      description: 'By own records over all projects. Once earned, they are kept.',
      access: 'user',
      data: z.array(achievement),
      handler: async ({ actor, request }) => {
        const earned = new Map((await repository.listByUser(actor.id)).map((entry) => [entry.id, entry.earned_at]));
        const catalogue = achievementNames.map((_name, index) => describeAchievement(index + 1, request.locale));
        return { data: catalogue.map((entry) => ({ ...entry, earned_at: earned.get(entry.id) ?? null })) };
      },
    }),

    operation({
      method: 'get',
      path: '/achievements/:file',
      id: 'getAchievementIcon',
      tag: 'Statistics',
      summary: 'The picture of an achievement',
      description: 'The `icon` of an achievement, readable without a token.',
      access: 'public',
      params: z.object({
        file: z.string().meta({ description: 'The name of the file.', example: 'first_record.svg' }),
      }),
      produces: ['image/svg+xml'],
      errors: ['RESOURCE_NOT_FOUND'],
      handler: async ({ params }) => {
        const bytes = icons.get(params.file);
        if (bytes === undefined) throw new NotFoundError('route_not_found');
        return { bytes, headers: iconHeaders };
      },
    }),
  ];
}
