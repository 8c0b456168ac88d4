import type { Request, RequestHandler } from 'express';
import { createFairQueue, type FairQueue, type FairQueueOptions } from '../lib/fair-queue.ts';
import { normaliseAddress } from '../lib/network/address.ts';
import type { Operation } from './operation.ts';
import { userKey } from './rate-limit.ts';

const unlimited = Number.POSITIVE_INFINITY;

/** Limits of a caller's concurrent work, besides `connections`: for operations that declare them as their `cost`. */
const limits = {
  // An operation uses one connection at a time: no caller gets more of the pool, or of the queue before it.
  connections: { slots: unlimited, perCaller: 3, waitingPerCaller: 500, waitSeconds: 10 },
  // Cached responses and batched reads use no connection of their own.
  shared: { slots: unlimited, perCaller: 8, waitingPerCaller: 500, waitSeconds: 10 },
  statistics: { slots: 4, perCaller: 2, waitingPerCaller: 50, waitSeconds: 10 },
  // `slots` is large, because a slot is held while a slow client uploads: users must not wait for each other.
  picture: { slots: 500, perCaller: 1, waitingPerCaller: 10, waitSeconds: 30 },
  // A second import is rejected immediately: it would wait longer than clients do.
  import: { slots: 500, perCaller: 1, waitingPerCaller: 0, waitSeconds: 30 },
  accounts: { slots: 500, perCaller: 1, waitingPerCaller: 1, waitSeconds: 30 },
} as const satisfies Record<string, FairQueueOptions>;

type Limit = keyof typeof limits;
export type Cost = Exclude<Limit, 'connections' | 'shared'>;
export type WorkLimits = ReturnType<typeof createWorkLimits>;

export function createWorkLimits() {
  const queues = Object.fromEntries(
    Object.entries(limits).map(([name, options]) => [name, createFairQueue(options)]),
  ) as Record<Limit, FairQueue>; // the names are those of the limits

  return {
    /** Waits for a slot in each limit, in this order, and returns how to release them. Throws RateLimitedError or UnavailableError. */
    async enter(caller: string, names: readonly Limit[], signal: () => AbortSignal): Promise<() => void> {
      const releases: (() => void)[] = [];
      const release = () => {
        for (const leave of releases.splice(0)) leave();
      };
      try {
        for (const name of names) releases.push(await queues[name].acquire(caller, signal));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    /** For a cached response that has to be read. */
    withConnection: <T>(request: Request, work: () => Promise<T>): Promise<T> =>
      queues.connections.run(callerOf(request), work, request.info.closed),
    load: (name: Limit) => queues[name].load(),
  };
}

function callerOf({ subject, info }: Request): string {
  return subject === undefined ? `address ${normaliseAddress(info.address)}` : userKey(subject.user_id);
}

/** Waits until the caller may do this work; the slot is released when the response is sent or its stream begins. */
export function createSlotStep(work: WorkLimits) {
  return ({ unlimited: isUnlimited, isCached, batched, cost }: Operation): RequestHandler =>
    async (request, response, next) => {
      // Health checks do not wait for other requests from the same address.
      if (isUnlimited !== true) {
        // Expensive work must not hold a connection while it waits.
        const names = [
          ...(cost === undefined ? [] : [cost]),
          isCached || batched === true ? 'shared' : 'connections',
        ] as const;
        const release = await work.enter(callerOf(request), names, request.info.closed);
        // The client may have disconnected before, while it sent the body: then no event would release the slot.
        if (response.closed) return release();
        response.once('close', release);
        request.releaseSlot = () => {
          response.off('close', release);
          release();
        };
      }
      next();
    };
}
