import type { Clock } from '../../lib/clock.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { recordChanged } from '../study-sessions/session-events.ts';
import { isOverlap } from '../study-sessions/session-overlap.ts';
import type { EndedTimer, OverdueOf, TimersToEnd } from './timer-repository.ts';

export type OverdueTimersOptions = { store: Store; clock: Clock; maxSeconds: number };

/** Ends timers in a transaction that has locked their projects, and the users whose rights change. */
export type EndTimers = (tx: TransactionStore, timers: TimersToEnd) => Promise<EndedTimer[]>;

/** Ended timers are records that have changed. */
export const recordEnded = (tx: TransactionStore, timers: readonly EndedTimer[]): Promise<void> =>
  recordChanged(
    tx,
    timers.map((after) => ({ before: { ...after, ended_at: after.former_end }, after })),
  );

/**
 * Stops timers that were left running, at the time at which they became overdue: in a recurring job, and immediately
 * when a request finds one. Safe to run concurrently in any number of processes.
 */
export function createOverdueTimers({ store, clock, maxSeconds }: OverdueTimersOptions) {
  async function endSome(overdue: OverdueOf): Promise<number> {
    return store.transaction(async (tx) => {
      const ended = await tx.timers.endOverdue(overdue, clock(), maxSeconds);
      await recordEnded(tx, ended);
      return ended.length;
    });
  }

  /** Of one user; waits for their locks. Returns whether there was one. */
  const end = async (userId: number): Promise<boolean> => (await endSome({ users: [userId], wait: true })) > 0;

  /** Whether to repeat what failed: with an overlap, while the author of the record had an overdue timer. */
  const recover = async (error: unknown, author: number): Promise<boolean> => isOverlap(error) && (await end(author));

  return {
    maxSeconds,

    end,

    /** Of these users, or of all; not of those whose rows are locked, so that nobody's long work delays the others. */
    endUnlocked: (users: readonly number[]): Promise<number> => endSome({ users, wait: false }),
    async endAll(): Promise<void> {
      while ((await endSome({ users: 'all', wait: false })) > 0);
    },

    recover,

    /** Repeats the work if it failed with an overlap and the author of the record had an overdue timer. */
    async retry<T>(author: () => number, work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (await recover(error, author())) return work();
        throw error;
      }
    },
  };
}

export type OverdueTimers = ReturnType<typeof createOverdueTimers>;
