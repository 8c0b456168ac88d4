import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Store } from '../../store.ts';
import { createOverdueTimers } from './overdue-timers.ts';
import { createTimerRoutes } from './timer-routes.ts';
import { createTimerService } from './timer-service.ts';

export type TimerFeatureOptions = { config: Config; store: Store; clock: Clock };

export function createTimerFeature({ config, store, clock }: TimerFeatureOptions) {
  const maxSeconds = Math.max(1, Math.round(config.timer.maxHours * 3600));
  const overdue = createOverdueTimers({ store, clock, maxSeconds });
  const service = createTimerService({ store, clock, overdue });
  const jobs: Job[] = [{ name: 'end overdue timers', everySeconds: 60, run: overdue.endAll }];
  return { service, overdue, operations: createTimerRoutes({ service, clock }), jobs };
}
