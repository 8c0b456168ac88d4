import { RateLimitedError } from '../../errors.ts';
import { type Clock, windowAround } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import type { AttemptPurpose, Blocks, Sender } from './attempt-repository.ts';

const windowMs = 3_600_000;
const perHour = 5;
const rejections = { contact: 'too_many_submissions', password_reset: 'too_many_reset_requests' } as const;

export type SubmissionLimitOptions = { store: Store; clock: Clock; purpose: AttemptPurpose };
export type SubmissionLimit = ReturnType<typeof createSubmissionLimit>;

/**
 * Sliding window of one hour: five submissions per e-mail and per address, of which one contact request per e-mail is
 * accepted. Exact across processes: submissions of one e-mail or address are serialised.
 */
export function createSubmissionLimit({ store, clock, purpose }: SubmissionLimitOptions) {
  const rule = { purpose, limit: perHour };
  const secondsUntilFree = ({ full_since, accepted_at }: Blocks, now: Date): number => {
    const blocks = [full_since, accepted_at].filter((moment) => moment !== null);
    return (Math.max(...blocks.map(Date.parse)) + windowMs - now.getTime()) / 1000;
  };

  return {
    /**
     * Counts a submission; returns the error if it exceeds a limit. One that is rejected because an earlier one was
     * accepted is counted; one over the five is not, or each attempt would extend the wait.
     */
    async admit(
      { contactAttempts: attempts }: Pick<Store, 'contactAttempts'>,
      sender: Sender,
    ): Promise<RateLimitedError | undefined> {
      await attempts.lock(sender);
      const now = clock();
      const window = windowAround(now, windowMs);
      const before = await attempts.findBlocks(sender, window, rule);
      if (before.full_since !== null) return new RateLimitedError(secondsUntilFree(before, now), rejections[purpose]);

      const isAccepted = purpose === 'contact' && before.accepted_at === null;
      await attempts.insert(sender, purpose, isAccepted, now);
      if (before.accepted_at === null) return undefined;
      const after = await attempts.findBlocks(sender, window, rule);
      return new RateLimitedError(secondsUntilFree(after, now), 'already_submitted');
    },

    /** Deletes attempts that no longer count: after twice the window, because the clocks of processes may differ. */
    deleteOld: () => store.contactAttempts.deleteOutside(windowAround(clock(), 2 * windowMs)),
  };
}
