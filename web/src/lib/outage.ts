import { useSyncExternalStore } from 'react';
import { ApiError } from '../../../client/src/index.ts';

const [minPause, maxPause] = [2000, 60_000];
let pause = minPause;
let until: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const attempts = new Set<() => void>();

function change(next: number | undefined): void {
  until = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The service or a proxy reports an outage, such as a restart or a lost database. */
export const isOutage = (error: unknown): error is ApiError =>
  error instanceof ApiError && [502, 503, 504].includes(error.status);

/** During an outage, all requests wait for one common retry. */
export const outage = {
  /** Returns whether the error indicates an outage, which then begins or continues. */
  begin(error: unknown): boolean {
    if (!isOutage(error)) return false;
    if (until !== undefined && until > Date.now()) return true; // a retry is already scheduled
    const wait = Math.max(pause, (error.retryAfter ?? 0) * 1000);
    pause = Math.min(pause * 2, maxPause);
    clearTimeout(timer);
    timer = setTimeout(outage.tryAgain, wait);
    change(Date.now() + wait);
    return true;
  },
  /** The service has responded: retry everything. */
  end(): void {
    if (until === undefined) return;
    clearTimeout(timer);
    pause = minPause;
    change(undefined);
    outage.tryAgain();
  },
  tryAgain(): void {
    for (const attempt of attempts) attempt();
  },
  /** Registers a callback for retries. */
  onTry(attempt: () => void): () => void {
    attempts.add(attempt);
    return () => attempts.delete(attempt);
  },
};

/** The time of the next retry during an outage. */
export const useNextTry = () => useSyncExternalStore(subscribe, () => until);
