import { createFairQueue, type FairQueue, type FairQueueOptions } from '../../lib/fair-queue.ts';

/**
 * What one caller – a user, or an address while nobody is signed in – may have in progress. `request` holds for every
 * operation; the others for operations that declare them as their `cost`. One caller never gets all of the database's
 * connections. Expensive work that does not need the request, such as hashing, has a fair queue of its own where it runs.
 */
const limits = {
  request: { slots: Number.POSITIVE_INFINITY, perCaller: 8, waitingPerCaller: 500, waitSeconds: 10 },
  statistics: { slots: 4, perCaller: 2, waitingPerCaller: 50, waitSeconds: 10 },
  // Both hold a place while a file is received, which may take as long as the client likes: none waits for another user's.
  picture: { slots: 500, perCaller: 1, waitingPerCaller: 10, waitSeconds: 30 },
  // A second import of a user is rejected at once: it would wait for longer than clients do.
  import: { slots: 500, perCaller: 1, waitingPerCaller: 0, waitSeconds: 30 },
  // Hashes up to 200 passwords, each in its turn.
  accounts: { slots: 500, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 },
} as const satisfies Record<string, FairQueueOptions>;

export type Cost = Exclude<keyof typeof limits, 'request'>;
export type WorkLimits = ReturnType<typeof createWorkLimits>;

export function createWorkLimits() {
  const queues = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, createFairQueue(options)]),
  ) as Record<keyof typeof limits, FairQueue>; // the names are those of the limits

  return {
    /**
     * Runs the work of an operation when its caller has room for it; `signal` is asked for when expensive work has to wait,
     * and ends the wait of a client that went away. Throws RateLimitedError or UnavailableError.
     */
    run<T>(caller: string, cost: Cost | undefined, work: () => Promise<T>, signal: () => AbortSignal): Promise<T> {
      const admitted = () => queues.request.run(caller, work);
      // Expensive work waits first, so that it leaves the caller's other requests their room meanwhile.
      return cost === undefined ? admitted() : queues[cost].run(caller, admitted, signal);
    },
    load: (name: keyof typeof limits) => queues[name].load(),
  };
}
