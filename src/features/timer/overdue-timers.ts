import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import { isOverlap } from '../study-sessions/session-overlap.ts';

export type OverdueTimersOptions = { store: Store; clock: Clock; maxSeconds: number };

/**
 * Ends timers that were left running, with the time at which they became overdue: in a recurring job, and at once when a
 * request finds one. Any number of processes may do so at the same time.
 */
export function createOverdueTimers({ store, clock, maxSeconds }: OverdueTimersOptions) {
  const end = (userId: number | null): Promise<number> => store.timers.endOverdue(userId, clock(), maxSeconds);

  return {
    maxSeconds,
    end,

    /** Runs the work again when it failed because of an overlap and there were overdue timers. */
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
