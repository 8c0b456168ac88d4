import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Lifecycle } from '../monitoring/health-routes.ts';
import { createEventHub } from './event-hub.ts';
import { createEventReadModel } from './event-read-model.ts';
import { createEventRoutes } from './event-routes.ts';

type Options = { database: Database; lifecycle: Lifecycle; clock: Clock };

export function createEventFeature({ database, lifecycle, clock }: Options) {
  const hub = createEventHub({ readModel: createEventReadModel(database), lifecycle, clock });
  return { operations: createEventRoutes({ hub, clock }) };
}
