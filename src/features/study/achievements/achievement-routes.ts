import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { projectRoot } from '../../../project-root.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { achievementKinds, achievementNames, describeAchievement } from './achievement-catalogue.ts';
import * as achievementRepository from './achievement-repository.ts';

function readIcons(): ReadonlyMap<string, Buffer> {
  const files = achievementNames.map((name) => `${name}.svg`);
  return new Map(files.map((file) => [file, readFileSync(path.join(projectRoot, 'assets/achievements', file))]));
}

/** Any site may embed them and cache them for a month; an SVG that is opened as a page is sandboxed. */
const iconHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=2592000',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

const achievement = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    icon: z.string().meta({ description: 'The path of its picture on this service.' }),
    requires: z.object({ kind: z.enum(achievementKinds), amount: z.int() }).meta({
      description:
        'The threshold: study time in seconds, a streak in days, a target in percent; 1 for the other kinds. Records of less than a minute earn only a target.',
    }),
    earned_at: timestamp.nullable(),
  })
  .meta({
    id: 'Achievement',
    example: { ...describeAchievement(1, 'en'), requires: { kind: 'study_time', amount: 1 }, earned_at: null },
  });

export function createAchievementRoutes({ store }: { store: Db }): Operation[] {
  const icons = readIcons();

  return [
    operation({
      method: 'get',
      path: '/api/achievements',
      id: 'listAchievements',
      tag: 'Statistics',
      summary: 'List all achievements and when the caller earned them',
      description: "Earned by the caller's own records on all projects, and permanent.",
      access: 'user',
      data: z.array(achievement),
      handler: async ({ actor, request }) => {
        const achievements = await achievementRepository.list(store, actor.id);
        return {
          data: achievements.map(({ id, kind, amount, earned_at }) => ({
            ...describeAchievement(id, request.locale),
            requires: { kind, amount },
            earned_at,
          })),
        };
      },
    }),

    operation({
      method: 'get',
      path: '/achievements/:file',
      id: 'getAchievementIcon',
      tag: 'Statistics',
      summary: 'Get the picture of an achievement',
      description: 'The `icon` of an achievement. Requires no token.',
      access: 'public',
      params: z.object({
        file: z.string().meta({ description: 'The file name.', example: 'first_record.svg' }),
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
