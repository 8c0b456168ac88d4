import type { Database } from '../../db/database.ts';
import type { Operation } from '../../http/operation.ts';
import type { SendUnpaged } from '../../http/unpaged-list.ts';
import type { Store } from '../../store.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import type { EndTimers } from '../timer/overdue-timers.ts';
import { createAssignmentRoutes } from './assignment-routes.ts';
import { createAssignmentService } from './assignment-service.ts';
import { createMemberReadModel } from './member-read-model.ts';

export type AssignmentFeatureOptions = {
  store: Store;
  endTimers: EndTimers;
  database: Database;
  access: ProjectAccessCheck;
  sendUnpaged: SendUnpaged;
};

export function createAssignmentFeature({ store, endTimers, database, ...options }: AssignmentFeatureOptions): {
  operations: Operation[];
} {
  const service = createAssignmentService({ store, endTimers });
  const members = createMemberReadModel(database);
  return { operations: createAssignmentRoutes({ ...options, service, members }) };
}
