import { RateLimitedError, UnavailableError } from '../errors.ts';

export type FairQueueOptions = {
  /** Jobs that run at once, of all callers together. */
  slots: number;
  /** Jobs of one caller that run at once. */
  perCaller: number;
  /** Jobs of one caller that may wait; one more is rejected at once with 429. */
  waitingPerCaller: number;
  /** A job that has waited this long is rejected with 503. */
  waitSeconds: number;
};

type Waiting = { start: () => void; reject: (error: Error) => void };
type Caller = { running: number; waiting: Set<Waiting> };

export type FairQueue = ReturnType<typeof createFairQueue>;

/**
 * Runs a bounded number of jobs at once and gives free slots to the waiting callers in turn: however many jobs one caller
 * queues, another caller waits for one job of each other caller at most. Memory is bounded per caller.
 */
export function createFairQueue({ slots, perCaller, waitingPerCaller, waitSeconds }: FairQueueOptions) {
  /** In the order of their turns: a caller that was served moves to the end. */
  const callers = new Map<string, Caller>();
  let running = 0;
  let waitingJobs = 0;

  function startNext(): void {
    if (running >= slots || waitingJobs === 0) return;
    for (const [key, caller] of callers) {
      if (caller.running >= perCaller) continue;
      const [next] = caller.waiting;
      if (next === undefined) continue;
      dequeue(caller, next);
      callers.delete(key);
      callers.set(key, caller);
      occupy(caller);
      next.start();
      return;
    }
  }

  function occupy(caller: Caller): void {
    caller.running += 1;
    running += 1;
  }

  function dequeue(caller: Caller, entry: Waiting): void {
    caller.waiting.delete(entry);
    waitingJobs -= 1;
  }

  function leave(key: string, caller: Caller): void {
    if (caller.running === 0 && caller.waiting.size === 0) callers.delete(key);
  }

  function release(key: string, caller: Caller): void {
    caller.running -= 1;
    running -= 1;
    leave(key, caller);
    startNext();
  }

  function wait(key: string, caller: Caller, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const entry: Waiting = {
        start: () => {
          settle();
          resolve();
        },
        reject: (error) => {
          settle();
          dequeue(caller, entry);
          leave(key, caller);
          reject(error);
        },
      };
      const abort = () => entry.reject(new UnavailableError());
      const timer = setTimeout(abort, waitSeconds * 1000);
      signal?.addEventListener('abort', abort);
      caller.waiting.add(entry);
      waitingJobs += 1;
    });
  }

  return {
    /**
     * Runs the job when it is the caller's turn. The signal is asked for when the job has to wait; aborted, it ends the wait,
     * not the job. Throws RateLimitedError when too many jobs of the caller wait already, UnavailableError when none of the
     * slots came free in time.
     */
    async run<T>(key: string, job: () => Promise<T>, signalOf?: () => AbortSignal): Promise<T> {
      const caller = callers.get(key) ?? { running: 0, waiting: new Set() };
      if (running < slots && caller.running < perCaller) {
        callers.set(key, caller);
        occupy(caller);
      } else {
        if (caller.waiting.size >= waitingPerCaller) throw new RateLimitedError(waitSeconds, 'too_many_at_once');
        const signal = signalOf?.();
        if (signal?.aborted === true) throw new UnavailableError();
        callers.set(key, caller);
        await wait(key, caller, signal);
      }
      try {
        return await job();
      } finally {
        release(key, caller);
      }
    },

    load: () => ({ running, waiting: waitingJobs, callers: callers.size }),
  };
}
