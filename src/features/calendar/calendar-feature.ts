import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import type { Store } from '../../store.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import { createCalendarReadModel } from './calendar-read-model.ts';
import { createCalendarRoutes } from './calendar-routes.ts';
import { createCalendarService } from './calendar-service.ts';

type Options = {
  config: Config;
  store: Store;
  database: Database;
  securityLog: SecurityLog;
  accounts: { notify: Notify; ownUrl: string };
  clock: Clock;
};

export function createCalendarFeature({ config, store, database, securityLog, accounts, clock }: Options) {
  const calendar = createCalendarService({
    store,
    readModel: createCalendarReadModel(database),
    securityLog,
    notify: accounts.notify,
    defaultLocale: config.http.defaultLocale,
    clock,
  });
  return { operations: createCalendarRoutes({ calendar, publicUrl: accounts.ownUrl }) };
}
