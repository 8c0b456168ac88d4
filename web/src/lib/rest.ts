import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/src/index.ts';

const [shortestPause, longestPause] = [2000, 60_000];
let pause = shortestPause;
let until: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const trials = new Set<() => void>();

function change(next: number | undefined): void {
  until = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The service, or a proxy before it, says that it cannot work for a while: its database is away, it is being restarted. */
export const isResting = (error: unknown): error is ApiError =>
  error instanceof ApiError && [502, 503, 504].includes(error.status);

/** When the service rests, everything that needs it waits for one moment, and is tried then. */
export const rest = {
  /** Takes notice of a failure; returns whether it means that the service rests. */
  begin(error: unknown): boolean {
    if (!isResting(error)) return false;
    if (until !== undefined && until > Date.now()) return true; // others failed at the same moment
    const wait = Math.max(pause, (error.retryAfter ?? 0) * 1000);
    pause = Math.min(pause * 2, longestPause);
    clearTimeout(timer);
    timer = setTimeout(rest.tryAgain, wait);
    change(Date.now() + wait);
    return true;
  },
  /** The service has done something: what waits for it may go. */
  end(): void {
    if (until === undefined) return;
    clearTimeout(timer);
    pause = shortestPause;
    change(undefined);
    rest.tryAgain();
  },
  tryAgain(): void {
    for (const attempt of trials) attempt();
  },
  /** What to do when a pause is over. */
  onTry(attempt: () => void): () => void {
    trials.add(attempt);
    return () => trials.delete(attempt);
  },
};

/** The moment of the next try while the service rests. */
export const useRest = () => useSyncExternalStore(subscribe, () => until);
