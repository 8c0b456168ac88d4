import type { Executor } from '../../db/database.ts';
import { RateLimitedError } from '../../errors.ts';
import { type Clock, windowAround } from '../../lib/clock.ts';
import { type Blocks, createAttemptRepository, type Sender } from './attempt-repository.ts';
import { commitOnError } from './commit-on-error.ts';

const windowMs = 3_600_000;
const perHour = 5;

export type SubmissionLimit = ReturnType<typeof createSubmissionLimit>;

/**
 * Over a rolling hour: five submissions for an e-mail and from an address, of which one is accepted for the e-mail.
 * Exact for submissions at the same moment, in whichever processes: each is decided in line with all others of its
 * e-mail and address.
 */
export function createSubmissionLimit(clock: Clock) {
  const secondsUntilFree = ({ full_since, accepted_at }: Blocks, now: Date): number => {
    const blocks = [full_since, accepted_at].filter((moment) => moment !== null);
    return (Math.max(...blocks.map(Date.parse)) + windowMs - now.getTime()) / 1000;
  };

  return {
    /**
     * Counts a submission; throws RateLimitedError when it is one too many. One that is refused because an earlier one
     * was accepted counts; one over the five does not, or trying again would put off the end of the wait.
     */
    async admit(db: Executor, sender: Sender): Promise<void> {
      const attempts = createAttemptRepository(db);
      await attempts.lock(sender);
      const now = clock();
      const window = windowAround(now, windowMs);
      const before = await attempts.findBlocks(sender, window, perHour);
      if (before.full_since !== null)
        throw commitOnError(new RateLimitedError(secondsUntilFree(before, now), 'too_many_submissions'));

      await attempts.insert(sender, before.accepted_at === null, now);
      if (before.accepted_at === null) return;
      const after = await attempts.findBlocks(sender, window, perHour);
      throw commitOnError(new RateLimitedError(secondsUntilFree(after, now), 'already_submitted'));
    },

    /** Forgets attempts that no longer count; twice the window, for the sake of processes whose clocks differ. */
    sweep: (db: Executor): Promise<void> =>
      createAttemptRepository(db).deleteOutside(windowAround(clock(), 2 * windowMs)),
  };
}
