import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import { isOverlap } from '../study-sessions/session-overlap.ts';

export type OverdueTimersOptions = { store: Store; clock: Clock; maxSeconds: number };

/**
 * Stops timers that were left running, at the time at which they became overdue: in a recurring job, and immediately
 * when a request finds one. Safe to run concurrently in any number of processes.
 */
export function createOverdueTimers({ store, clock, maxSeconds }: OverdueTimersOptions) {
  const end = (userId: number | null): Promise<number> => store.timers.endOverdue(userId, clock(), maxSeconds);

  return {
    maxSeconds,
    end,

    /** Repeats the work if it failed with an overlap and there were overdue timers. */
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
