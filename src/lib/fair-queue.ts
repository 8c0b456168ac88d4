import { setTimeout as delay } from 'node:timers/promises';
import { RateLimitedError, UnavailableError } from '../texts/errors.ts';

export type FairQueueOptions = {
  slots: number;
  perCaller: number;
  /** Further jobs are rejected with 429. */
  waitingPerCaller: number;
  /** Jobs that wait longer are rejected with 503. */
  waitSeconds: number;
};

type Waiting = { start: () => void; reject: (error: Error) => void };
/** `waiting` is created when a job has to wait: most never do. */
type Caller = { running: number; waiting?: Set<Waiting> };

export type Release = () => void;
export type FairQueue = ReturnType<typeof createFairQueue>;

/** Gives free slots to callers in round-robin order, so that one who queues many jobs does not delay the others. */
export function createFairQueue({ slots, perCaller, waitingPerCaller, waitSeconds }: FairQueueOptions) {
  /** In round-robin order. */
  const callers = new Map<string, Caller>();
  let running = 0;
  let waitingJobs = 0;

  function startNext(): void {
    if (running >= slots || waitingJobs === 0) return;
    for (const [key, caller] of callers) {
      if (caller.running >= perCaller) continue;
      const [next] = caller.waiting ?? [];
      if (next === undefined) continue;
      dequeue(caller, next);
      callers.delete(key);
      callers.set(key, caller);
      reserve(caller);
      next.start();
      return;
    }
  }

  function reserve(caller: Caller): void {
    caller.running += 1;
    running += 1;
  }

  function dequeue(caller: Caller, entry: Waiting): void {
    caller.waiting?.delete(entry);
    waitingJobs -= 1;
  }

  function removeIdle(key: string, caller: Caller): void {
    if (caller.running === 0 && !caller.waiting?.size) callers.delete(key);
  }

  function release(key: string, caller: Caller): void {
    caller.running -= 1;
    running -= 1;
    removeIdle(key, caller);
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
          removeIdle(key, caller);
          reject(error);
        },
      };
      const abort = () => entry.reject(new UnavailableError());
      const timer = setTimeout(abort, waitSeconds * 1000);
      signal?.addEventListener('abort', abort);
      caller.waiting ??= new Set();
      caller.waiting.add(entry);
      waitingJobs += 1;
    });
  }

  /** Takes a free slot, and returns how to release it; undefined if the caller has to wait. */
  function tryAcquire(key: string): Release | undefined {
    const caller = callers.get(key) ?? { running: 0 };
    if (running >= slots || caller.running >= perCaller) return undefined;
    callers.set(key, caller);
    reserve(caller);
    return () => release(key, caller);
  }

  /**
   * Waits for a slot, and returns how to release it. `signalOf` is called when the caller has to wait; its signal cancels the wait.
   * Throws RateLimitedError when too many jobs of the caller are waiting, UnavailableError after the timeout.
   */
  async function acquire(key: string, signalOf?: () => AbortSignal): Promise<Release> {
    const free = tryAcquire(key);
    if (free !== undefined) return free;
    const caller = callers.get(key) ?? { running: 0 };
    if ((caller.waiting?.size ?? 0) >= waitingPerCaller) throw new RateLimitedError(waitSeconds, 'too_many_at_once');
    const signal = signalOf?.();
    if (signal?.aborted === true) throw new UnavailableError();
    callers.set(key, caller);
    await wait(key, caller, signal);
    return () => release(key, caller);
  }

  return {
    tryAcquire,
    acquire,

    async run<T>(key: string, job: () => Promise<T>, signalOf?: () => AbortSignal): Promise<T> {
      const releaseSlot = await acquire(key, signalOf);
      try {
        return await job();
      } finally {
        releaseSlot();
      }
    },

    load: () => ({ running, waiting: waitingJobs, callers: callers.size }),
  };
}

const workMs = 5;
const pauseMs = 5;

/** Await the returned function between steps of long work, which then takes at most half of the event loop's time. */
export function createYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < workMs) return;
    await delay(pauseMs);
    since = performance.now();
  };
}
