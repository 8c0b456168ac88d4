import { type Operation, operation } from '../../http/operation.ts';
import { toProjectResponse } from '../projects/project-responses.ts';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { syncPage, syncQuery } from './sync-schemas.ts';
import type { SyncService } from './sync-service.ts';

export function createSyncRoutes({ sync }: { sync: SyncService }): Operation[] {
  return [
    operation({
      tag: 'Sync',
      access: 'user',
      method: 'get',
      path: '/api/sync',
      id: 'sync',
      summary: 'Read what changed since the last time',
      description:
        'For a copy that is kept up to date: own and assigned projects with their assignments, own records, and those of others on own projects; for administrators, too. Nothing that is committed late is skipped, and an item may come more than once. Running timers come when they start and end.',
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
