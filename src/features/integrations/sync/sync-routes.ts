import { z } from 'zod';
import { id, queryInt } from '../../../http/fields.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { colors } from '../../study/project-access/project-values.ts';
import { project, toProjectResponse } from '../../study/projects/project-responses.ts';
import { session, toSessionResponse } from '../../study/study-sessions/session-responses.ts';
import { cursorText } from './sync-cursor.ts';
import type { SyncService } from './sync-service.ts';

const limits = { default: 500, max: 1000 };

const syncQuery = z.object({
  since: cursorText.optional().meta({
    description: '`next_cursor` of the previous page; omit it to start a full copy.',
    example: 'MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA',
  }),
  limit: queryInt({ min: 1, max: Number.MAX_SAFE_INTEGER })
    .transform((value) => Math.min(value, limits.max))
    .default(limits.default)
    .meta({
      override: { type: 'integer', minimum: 1, default: limits.default },
      description: `Items per page; values above ${limits.max} mean ${limits.max}.`,
    }),
});

const syncPage = z.object({
  reset: z
    .boolean()
    .meta({ description: 'The cursor is no longer valid: discard the copy and start over without `since`.' }),
  projects: z.array(project).meta({ description: 'New or changed, with their assignments.' }),
  colors: z.array(z.object({ project_id: id.meta({ example: 42 }), color: z.int().min(1).max(colors) })).meta({
    description:
      'The present colors of your active projects without a chosen one: they differ, and so depend on your other projects. Each page has all of them; they win over `color` of `projects`.',
    example: [{ project_id: 42, color: 6 }],
  }),
  sessions: z.array(session).meta({ description: 'New or changed.' }),
  deleted: z
    .object({
      projects: z.array(
        z.object({
          id,
          name: z.string().nullable().meta({
            description: 'The project name that your records on it show from now on; null if you have none.',
            example: 'Linear algebra',
          }),
        }),
      ),
      sessions: z.array(z.int()).meta({ description: 'The ids of the records.', example: [310] }),
    })
    .meta({ description: 'Deleted or no longer visible to you.' }),
  has_more: z.boolean().meta({ description: 'Whether another page is available.' }),
  next_cursor: z.string().nullable().meta({
    description: 'The `since` of the next request; null with `reset`. Store it together with the items of this page.',
    example: 'MS4wMTIzNDU2Nzg5YWJjZGVmLjE3NjQ5Lm8uMC4uMTc2OTkzMjgwMDAwMA',
  }),
});

export function createSyncRoutes({ sync }: { sync: SyncService }): Operation[] {
  return [
    operation({
      tag: 'Sync',
      access: 'user',
      method: 'get',
      path: '/api/sync',
      id: 'sync',
      summary: 'List changes since the last sync',
      description:
        'For keeping a copy up to date. Contains own and assigned projects with their assignments, own records, and those of others on own projects; also for administrators. Changes that are committed late are not skipped, and items may be repeated. Running timers are included when they start and end.',
      query: syncQuery,
      data: syncPage,
      cost: 'statistics',
      handler: async ({ actor, query: { since, limit } }) => {
        const { projects, sessions, ...page } = await sync.read(actor, since, limit);
        return {
          data: { ...page, projects: projects.map(toProjectResponse), sessions: sessions.map(toSessionResponse) },
        };
      },
    }),
  ];
}
