import { type Operation, operation } from '../../http/operation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BackgroundWorkReadModel } from './background-job-repository.ts';
import { backgroundWork } from './background-work-schemas.ts';

type Options = { work: BackgroundWorkReadModel; clock: Clock };

export function createBackgroundWorkRoutes({ work, clock }: Options): Operation[] {
  return [
    operation({
      method: 'get',
      path: '/api/admin/background-work',
      id: 'getBackgroundWork',
      tag: 'Operation',
      summary: 'Get background work by kind',
      description:
        'Jobs that run after the transactions that queued them, such as mails. Their contents are not shown.',
      access: 'admin',
      data: backgroundWork,
      handler: async () => ({ data: { kinds: await work.summarize(clock()) } }),
    }),
  ];
}
