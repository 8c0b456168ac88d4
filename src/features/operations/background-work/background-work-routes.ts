import { type Operation, operation } from '../../../http/operation.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as work from './background-job-repository.ts';
import { type BackgroundWork, backgroundWork } from './background-work-schemas.ts';

/** `backups` returns null if none are scheduled. */
type Options = { store: Db; backups: () => Promise<BackgroundWork['backups']>; clock: Clock };

export function createBackgroundWorkRoutes({ store, backups, clock }: Options): Operation[] {
  return [
    operation({
      method: 'get',
      path: '/api/admin/background-work',
      id: 'getBackgroundWork',
      tag: 'Operation',
      summary: 'Get background work by kind',
      description:
        'Jobs that run after the transactions that queued them, such as mails, without their contents; and the scheduled backups.',
      access: 'admin',
      data: backgroundWork,
      handler: async () => ({ data: { kinds: await work.summarize(store, clock()), backups: await backups() } }),
    }),
  ];
}
