import { type Operation, operation } from '../../http/operation.ts';
import { toProjectResponse } from '../projects/project-responses.ts';
import { toSessionResponse } from '../study-sessions/session-schemas.ts';
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
