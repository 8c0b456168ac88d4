import type { Db } from '../../../transactions/transactions.ts';
import { createWriteBatch, type WriteRequest } from '../../../transactions/write-batch.ts';
import type { NewProject } from './project-repository.ts';
import * as projects from './project-repository.ts';

/** Creates together the projects without assigned users that arrive at the same time. */
export const createProjectCreation = (db: Db) =>
  createWriteBatch(db, async (tx, requests: readonly WriteRequest<NewProject>[], alone) => {
    const created = await projects.create(tx, requests, alone);
    for (const [index, project] of created.entries())
      if (!(project instanceof Error))
        tx.record({ type: 'project.created', project, by: requests[index]?.actor.context });
    return created;
  });
