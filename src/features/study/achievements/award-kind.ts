import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { JobQueue } from '../../operations/background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../../operations/background-work/job-kind.ts';
import type { Calendar } from '../calendar/study-days.ts';
import { skippedDays, studyDaysOf } from '../calendar/study-figures.ts';
import { pausesOf, studyRuns } from '../calendar/study-runs.ts';
import { idsOf, requiredAmounts } from './achievement-catalogue.ts';
import type { Award, AwardedTo } from './achievement-repository.ts';
import * as achievements from './achievement-repository.ts';
import type { AwardRead } from './award-read-model.ts';
import * as readModel from './award-read-model.ts';

/** The kind of these jobs in the database. */
export const awardKind = 'achievements';

const minute = 60_000;

/** A user whose calendar changed, or who imported sessions on the projects. */
const awardJob = z.object({ user_id: z.int(), project_ids: z.array(z.int()) });
export type AwardJob = z.output<typeof awardJob>;
/** Stores a job in the transaction that makes it necessary. */
export type Awards = Pick<JobQueue<AwardJob>, 'enqueue'>;
type Options = { store: Db };

/** Projects of one run; after it, the jobs of other users have their turn. */
const maxProjects = 20;

/** Finds what a user or project has earned, but not been awarded, from all of its records. */
export function createMissingAwards({ store }: Options) {
  async function missing(to: AwardedTo, owner: number, read: AwardRead, owned: readonly number[], calendar: Calendar) {
    const awards: Award[] = [];
    const add = (id: number, at: string | null) => {
      if (at !== null && !owned.includes(id)) awards.push({ to, owner, id, at });
    };
    for (const [id, at] of read.study_time) add(id, at);
    for (const kind of ['early_bird', 'night_owl', 'target'] as const)
      for (const id of idsOf(kind)) add(id, read[kind]);
    const { changes, rest_weekdays, off, school, day_start_hour } = read.days;
    const isSkipped = skippedDays(calendar.zone, day_start_hour);
    const runs = studyRuns(studyDaysOf(read.days), {
      rest_weekdays,
      off,
      school,
      pauses: pausesOf(changes),
      isSkipped,
    });
    for (const { id, kind, amount } of requiredAmounts) {
      const day = kind === 'streak' && !owned.includes(id) ? runs.reaches(amount) : undefined;
      if (day !== undefined) add(id, await readModel.endOf(store, to, owner, day, calendar));
    }
    return awards;
  }

  return {
    async ofUser(calendar: Calendar): Promise<Award[]> {
      const owned = (await achievements.list(store, calendar.user_id)).filter(({ earned_at }) => earned_at !== null);
      const ids = owned.map(({ id }) => id);
      return missing('user', calendar.user_id, await readModel.ofUser(store, calendar), ids, calendar);
    },
    async ofProject(id: number, calendar: Calendar): Promise<Award[]> {
      const owned = await achievements.listOfProject(store, id);
      return missing('project', id, await readModel.ofProject(store, id, calendar), owned, calendar);
    },
  };
}

/**
 * Awards what many records at once have earned, dated by the record that earned it. It can be repeated: what is earned is kept, and
 * given once by a constraint. The records are read outside of any transaction, project by project.
 */
export function createAwardKind({ clock, ...options }: Options & { clock: Clock }): JobKind<AwardJob> {
  const { store } = options;
  const missing = createMissingAwards(options);
  return {
    kind: awardKind,
    name: 'award achievements',
    everySeconds: 2,
    payload: awardJob,
    merges: 'project_ids',
    encrypted: false,
    lease: 10 * minute,
    maximumAge: 7 * 24 * 60 * minute,
    perRun: 20,
    retryAfter: exponentialBackoff,
    async run({ user_id, project_ids }) {
      // Writers of sessions that began before the job commit first; later ones follow the new calendar.
      const zone = await store.asService((tx) => achievements.waitForWriters(tx, user_id));
      if (zone === undefined) return { done: true };
      const calendar: Calendar = { zone, now: clock(), user_id };
      const rest = project_ids.slice(maxProjects);
      // The locks of writers are taken again: they also give the rows a new version, by which their responses are cached.
      for (const id of project_ids.slice(0, maxProjects)) {
        const ofProject = await missing.ofProject(id, calendar);
        if (ofProject.length > 0)
          await store.asService(async (tx) => {
            const owner = await achievements.touchProject(tx, id);
            if (owner === undefined) return;
            await achievements.give(tx, ofProject);
            tx.record({ type: 'achievement.awarded', user_ids: [user_id, owner] });
          });
      }
      if (rest.length > 0) return { done: true, rest: { user_id, project_ids: rest } };
      const ofUser = await missing.ofUser(calendar);
      if (ofUser.length > 0)
        await store.asService(async (tx) => {
          await achievements.waitForWriters(tx, user_id);
          await achievements.give(tx, ofUser);
          tx.record({ type: 'achievement.awarded', user_ids: [user_id] });
        });
      return { done: true };
    },
  };
}
