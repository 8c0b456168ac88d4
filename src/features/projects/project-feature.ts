import type { Database } from '../../db/database.ts';
import type { SendUnpaged } from '../../http/unpaged-list.ts';
import type { Store } from '../../store.ts';
import type { Calendars } from '../statistics/calendars.ts';
import { createAssignableReadModel } from './list/assignable-read-model.ts';
import { createProjectListReadModel } from './list/project-list-read-model.ts';
import type { ProjectAccessCheck } from './project-access.ts';
import { createProjectRoutes } from './project-routes.ts';
import { createProjectService, type ProjectServiceOptions } from './project-service.ts';

export type ProjectFeatureOptions = ProjectServiceOptions & {
  store: Store;
  database: Database;
  access: ProjectAccessCheck;
  calendars: Calendars;
  sendUnpaged: SendUnpaged;
};

export function createProjectFeature({ database, ...options }: ProjectFeatureOptions) {
  const service = createProjectService(options);
  const lists = createProjectListReadModel(database);
  const assignable = createAssignableReadModel(database);
  return { service, operations: createProjectRoutes({ ...options, service, lists, assignable }) };
}
