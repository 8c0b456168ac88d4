import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import type { JobQueue } from '../background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';
import type { Calendar } from '../statistics/study-days.ts';
import { skippedDays } from '../statistics/study-figures.ts';
import { pausesOf, studyRuns } from '../statistics/study-runs.ts';
import { idsEarned } from './achievement-rules.ts';
import type { AwardRead, AwardReadModel } from './award-read-model.ts';

const minute = 60_000;

/** A user whose calendar changed, or who imported sessions on the projects. */
const awardJob = z.object({ user_id: z.int(), project_ids: z.array(z.int()) });
export type AwardJob = z.output<typeof awardJob>;
/** Stores a job in the transaction that makes it necessary. */
export type Awards = Pick<JobQueue<AwardJob>, 'enqueue'>;
type Options = { store: Store; readModel: AwardReadModel; clock: Clock };

/**
 * Awards what many records at once have earned. It can be repeated: what is earned is kept, and given once by a
 * constraint. The records are read outside of any transaction, project by project.
 */
export function createAwardKind({ store, readModel, clock }: Options): JobKind<AwardJob> {
  return {
    kind: 'achievements',
    name: 'award achievements',
    everySeconds: 2,
    payload: awardJob,
    sealed: false,
    lease: 10 * minute,
    maximumAge: 7 * 24 * 60 * minute,
    perRun: 20,
    retryAfter: exponentialBackoff,
    async run({ user_id, project_ids }) {
      // Writers of sessions that began before the job commit first; later ones follow the new calendar.
      const zone = await store.transaction((tx) => tx.achievements.waitForWriters(user_id));
      if (zone === undefined) return { done: true };
      const calendar: Calendar = { zone, now: clock(), user_id };
      await store.achievements.addToUser(user_id, earnedBy(await readModel.ofUser(calendar), zone));
      for (const id of project_ids) {
        const ids = earnedBy(await readModel.ofProject(id, calendar), zone);
        await store.transaction((tx) => tx.achievements.addToProject(id, ids));
      }
      return { done: true };
    },
  };
}

function earnedBy({ days: { days, changes, ...calendar }, early_bird, night_owl }: AwardRead, zone: string): number[] {
  const { longest } = studyRuns(
    days.map(([day]) => day),
    {
      restWeekdays: calendar.rest_weekdays,
      pauses: pausesOf(changes),
      isSkipped: skippedDays(zone, calendar.day_start_hour),
    },
  );
  return [
    ...idsEarned('streak', longest),
    ...idsEarned('early_bird', early_bird ? 1 : 0),
    ...idsEarned('night_owl', night_owl ? 1 : 0),
  ];
}
