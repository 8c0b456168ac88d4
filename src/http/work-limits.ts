import { createFairQueue, type FairQueue, type FairQueueOptions } from '../lib/fair-queue.ts';

/**
 * Limits of a caller's concurrent work: `request` for every operation, the others for operations that declare them as their `cost`.
 * One caller never gets all database connections.
 */
const limits = {
  request: { slots: Number.POSITIVE_INFINITY, perCaller: 8, waitingPerCaller: 500, waitSeconds: 10 },
  statistics: { slots: 4, perCaller: 2, waitingPerCaller: 50, waitSeconds: 10 },
  // `slots` is large, because a slot is held while a slow client uploads: users must not wait for each other.
  picture: { slots: 500, perCaller: 1, waitingPerCaller: 10, waitSeconds: 30 },
  // A second import is rejected immediately: it would wait longer than clients do.
  import: { slots: 500, perCaller: 1, waitingPerCaller: 0, waitSeconds: 30 },
  accounts: { slots: 500, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 },
} as const satisfies Record<string, FairQueueOptions>;

export type Cost = Exclude<keyof typeof limits, 'request'>;
export type WorkLimits = ReturnType<typeof createWorkLimits>;

export function createWorkLimits() {
  const queues = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, createFairQueue(options)]),
  ) as Record<keyof typeof limits, FairQueue>; // the names are those of the limits

  return {
    /** Runs `work` within the caller's limits; `signal` cancels the wait. Throws RateLimitedError or UnavailableError. */
    run<T>(caller: string, cost: Cost | undefined, work: () => Promise<T>, signal: () => AbortSignal): Promise<T> {
      const admitted = () => queues.request.run(caller, work);
      // Expensive work must not hold a request slot while it waits.
      return cost === undefined ? admitted() : queues[cost].run(caller, admitted, signal);
    },
    load: (name: keyof typeof limits) => queues[name].load(),
  };
}
