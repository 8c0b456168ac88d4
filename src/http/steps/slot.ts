import type { RequestHandler } from 'express';
import type { Release } from '../../lib/fair-queue.ts';
import type { Operation } from '../operation.ts';
import { callerOf, type Limit, type WorkLimits } from '../work-limits.ts';

/** Waits until the caller may do this work; the slot is released when the response is sent or its stream begins. */
export function createSlotStep(work: WorkLimits) {
  return ({ access, unlimited: isUnlimited, isCached, batched, waitsOutside, cost }: Operation): RequestHandler => {
    // Health checks do not wait for other requests from the same address.
    if (isUnlimited === true) return (_request, _response, next) => next();
    const pool = waitsOutside ? 'outside' : isCached || batched === true ? 'shared' : 'connections';
    // Expensive work must not hold a connection while it waits.
    const turn = cost ?? (access === 'public' && !waitsOutside ? 'public' : undefined);
    const names: readonly Limit[] = turn === undefined ? [pool] : [turn, pool];
    return (request, response, next) => {
      const hold = (release: Release) => {
        // The client may have disconnected before, while it sent the body: then no event would release the slot.
        if (response.destroyed) return release();
        response.once('close', release);
        request.releaseSlot = release;
        next();
      };
      const caller = callerOf(request);
      // Most do not wait, and a promise for each costs a tenth of a cached response.
      const free = work.tryEnter(caller, names);
      return free === undefined ? work.enter(caller, names, request.info.closed).then(hold) : hold(free);
    };
  };
}
