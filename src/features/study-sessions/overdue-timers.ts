import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { isOverlap } from './session-overlap.ts';
import { createTimerRepository } from './timer-repository.ts';

export type OverdueTimersOptions = { database: Database; clock: Clock; maxSeconds: number };

/**
 * Ends timers that were left running, as if it had been done on the second: by a recurring job, and at once when a
 * request meets one. Any number of processes may do so at the same time.
 */
export function createOverdueTimers({ database, clock, maxSeconds }: OverdueTimersOptions) {
  /** Ends those of one user, or with null everybody's; says how many. */
  const end = (userId: number | null): Promise<number> =>
    createTimerRepository(database).endOverdue(userId, clock(), maxSeconds);

  return {
    maxSeconds,
    end,

    /** Runs the work again when an overdue timer may have been in its way. */
    async retry<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (isOverlap(error) && (await end(null)) > 0) return work();
        throw error;
      }
    },
  };
}

export type OverdueTimers = ReturnType<typeof createOverdueTimers>;
