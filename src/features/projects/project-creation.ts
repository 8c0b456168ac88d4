import type { Store } from '../../store.ts';
import { createWriteBatch, type WriteRequest } from '../auth/write-batch.ts';
import type { NewProject } from './project-repository.ts';

type Request = WriteRequest<NewProject>;

/** Changes of administrators are in the audit log. */
const isAudited = ({ actor }: Request) => actor.context?.role === 'admin';

/** Creates together the projects without assigned users that arrive at the same time. */
export function createProjectCreation(store: Store) {
  let delivered = false; // whether a webhook got the last created project

  return createWriteBatch(store, {
    inOneStatement: async (requests: readonly Request[], alone) => {
      if (delivered || requests.some(isAudited)) return undefined;
      const result = await store.projects.create(requests, { alone, bumps: true, unlessDelivered: true });
      delivered = result.delivered;
      return delivered ? undefined : result.created;
    },
    inTransaction: async (tx, requests, alone) => {
      const result = await tx.projects.create(requests, { alone, bumps: true });
      delivered = result.delivered;
      for (const [index, project] of result.created.entries()) {
        const request = requests[index];
        if (request === undefined || project instanceof Error || !(delivered || isAudited(request))) continue;
        tx.record({ type: 'project.created', project, by: request.actor.context });
      }
      return result.created;
    },
  });
}
