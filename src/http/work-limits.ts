import type { Request } from 'express';
import { createFairQueue, type FairQueue, type FairQueueOptions, type Release } from '../lib/fair-queue.ts';
import { normaliseAddress } from '../lib/network/address.ts';
import { userKey } from './caller.ts';

const unlimited = Number.POSITIVE_INFINITY;

/**
 * Limits of a caller's concurrent work: `connections`, `shared` or `outside` for every operation, the others for those with that
 * `cost`, and `public` for public ones without another cost.
 */
const limits = {
  // An operation uses one connection at a time: no caller gets more of the pool, or of the queue before it.
  connections: { slots: unlimited, perCaller: 3, waitingPerCaller: 500, waitSeconds: 10 },
  // Cached responses and batched reads use no connection of their own.
  shared: { slots: unlimited, perCaller: 8, waitingPerCaller: 500, waitSeconds: 10 },
  // Waits for another service, such as the identity provider, with neither a connection nor a slot for one. A caller may be a whole
  // school behind one address.
  outside: { slots: unlimited, perCaller: 50, waitingPerCaller: 100, waitSeconds: 10 },
  // One of a caller at once, so that no few callers hold all of them.
  statistics: { slots: 4, perCaller: 1, waitingPerCaller: 50, waitSeconds: 10 },
  // `slots` is large, because a slot is held while a slow client uploads: users must not wait for each other.
  picture: { slots: 500, perCaller: 1, waitingPerCaller: 10, waitSeconds: 30 },
  // A second import is rejected immediately: it would wait longer than clients do.
  import: { slots: 500, perCaller: 1, waitingPerCaller: 0, waitSeconds: 30 },
  accounts: { slots: 500, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 },
  // Of all addresses together, so that many of them leave connections and time to users: with four slots, guesses of links
  // made p99 of users nine times as long, with two three times.
  public: { slots: 2, perCaller: 2, waitingPerCaller: 500, waitSeconds: 10 },
  // Sign-ins wait for each other where passwords are checked, so they hold no slot that a refresh needs.
  sign_in: { slots: unlimited, perCaller: 3, waitingPerCaller: 500, waitSeconds: 10 },
} as const satisfies Record<string, FairQueueOptions>;

export type Limit = keyof typeof limits;

export type Cost = Exclude<Limit, 'connections' | 'shared' | 'outside' | 'public'>;

export type WorkLimits = ReturnType<typeof createWorkLimits>;

export function createWorkLimits() {
  const queues = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, createFairQueue(options)]),
  ) as Record<Limit, FairQueue>; // the names are those of the limits

  return {
    /** Takes a free slot in each limit, and returns how to release them, once or repeatedly; undefined if one has to wait. */
    tryEnter(caller: string, names: readonly Limit[]): Release | undefined {
      const releases: Release[] = [];
      for (const name of names) {
        const release = queues[name].tryAcquire(caller);
        if (release === undefined) {
          releaseAll(releases);
          return undefined;
        }
        releases.push(release);
      }
      return () => releaseAll(releases);
    },
    /** The same, but waits for the slots, in this order. Throws RateLimitedError or UnavailableError. */
    async enter(caller: string, names: readonly Limit[], signal: () => AbortSignal): Promise<Release> {
      const releases: Release[] = [];
      try {
        for (const name of names) releases.push(await queues[name].acquire(caller, signal));
      } catch (error) {
        releaseAll(releases);
        throw error;
      }
      return () => releaseAll(releases);
    },
    /** For a cached response that has to be read, or after the wait for another service. */
    withConnection: <T>(request: Request, work: () => Promise<T>): Promise<T> =>
      queues.connections.run(callerOf(request), work, request.info.closed),
    load: (name: Limit) => queues[name].load(),
  };
}

function releaseAll(releases: Release[]): void {
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) release();
}

export function callerOf({ subject, info }: Request): string {
  return subject === undefined ? `address ${normaliseAddress(info.address)}` : userKey(subject.user_id);
}
