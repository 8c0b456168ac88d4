import { readEvents, type Topic } from '../../../client/src/events.ts';
import { ApiError, api } from './api.ts';
import { changed, type Part, refresh } from './freshness.ts';
import { session } from './session.ts';

/** What to refetch. For administrators `projects` covers every audited change. */
const partsOf: Record<Topic, readonly Part[]> = {
  projects: ['projects', 'stats', 'progress', 'users', 'audit', 'school-year'],
  sessions: ['sessions', 'stats', 'projects', 'progress'],
  timer: ['timer'],
  inbox: ['requests'],
};
const allTopics = ['projects', 'sessions', 'timer', 'inbox'] as const satisfies readonly Topic[];
const [minPause, maxPause] = [1000, 60_000];
/** After this time a pending refetch is ignored, since its response may never arrive. */
const refetchTimeout = 10_000;

/**
 * Subscribes to the service's events while the page is visible, online and signed in; returns the unsubscribe function.
 * Only one tab opens the stream and informs the others: with HTTP/1.1 a browser has six connections per origin.
 */
export function followEvents(): () => void {
  let following: AbortController | undefined;
  function check(): void {
    const isUseful = document.visibilityState === 'visible' && navigator.onLine && session.get().state === 'in';
    if (!isUseful) end();
    else if (following === undefined) {
      following = new AbortController();
      void followWithLock(following.signal);
    }
  }
  function end(): void {
    following?.abort();
    following = undefined;
  }
  check();
  const unsubscribe = session.subscribe(check);
  document.addEventListener('visibilitychange', check);
  for (const type of ['online', 'offline']) window.addEventListener(type, check);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', check);
    for (const type of ['online', 'offline']) window.removeEventListener(type, check);
    end();
  };
}

/** The Web Locks API needs a secure context; without it each tab opens its own stream. */
async function followWithLock(signal: AbortSignal): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return follow(signal, (part) => refresh([part]));
  const work = () => follow(signal, changed);
  await locks.request('studytrack.events', { signal }, work).catch(() => undefined); // aborted before it got the lock
}

type Read = (part: Part) => Promise<void>;

/** Reconnects when the stream ends, with exponential backoff after failures. */
async function follow(signal: AbortSignal, read: Read): Promise<void> {
  const refetch = oneAtATime(read);
  for (let pause = minPause; !signal.aborted; pause = Math.min(2 * pause, maxPause)) {
    let retryAfter = 0;
    try {
      for await (const { type, topics } of readEvents(api, { signal })) {
        pause = minPause / 2;
        const named = type === 'ready' ? allTopics : topics;
        for (const part of new Set(named.flatMap((topic) => partsOf[topic]))) void refetch(part);
      }
    } catch (error) {
      retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
    }
    // Jitter: after a restart, pages must not all reconnect at the same moment.
    await wait(Math.max(retryAfter, pause) * (1 + Math.random()), signal);
  }
}

/** Resolves early when aborted, so that another tab can take over. */
const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    setTimeout(resolve, milliseconds);
  });

/** Parts are read in parallel. A part that changes while it is being read is read again afterwards. */
function oneAtATime(read: Read): Read {
  const reading = new Map<Part, 'once' | 'again'>();
  return async (part) => {
    if (reading.has(part)) return void reading.set(part, 'again');
    do {
      reading.set(part, 'once');
      await Promise.race([read(part), new Promise((resolve) => setTimeout(resolve, refetchTimeout))]);
    } while (reading.get(part) === 'again');
    reading.delete(part);
  };
}
