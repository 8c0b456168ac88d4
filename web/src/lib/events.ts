import { readEvents, type Topic } from '../../../client/src/events.ts';
import { ApiError, api } from './api.ts';
import { changed, type Part, refresh } from './freshness.ts';
import { session } from './session.ts';

/** What is read again. For administrators `projects` stands for every change that the audit log has. */
const partsOf: Record<Topic, readonly Part[]> = {
  projects: ['projects', 'stats', 'progress', 'users', 'audit'],
  sessions: ['sessions', 'stats', 'projects', 'progress'],
  timer: ['timer'],
  inbox: ['requests'],
};
const allTopics = ['projects', 'sessions', 'timer', 'inbox'] as const satisfies readonly Topic[];
const [shortestPause, longestPause] = [1000, 60_000];
/** A response that takes longer may never come; reading again abandons it. */
const longestReading = 10_000;

/**
 * Follows the events of the service while the page is visible, online and signed in. Returns what ends it. Of several tabs
 * one has the stream and passes on what it says: a browser has only six connections to an origin with HTTP/1.1.
 */
export function followEvents(): () => void {
  let following: AbortController | undefined;
  function check(): void {
    const isUseful = document.visibilityState === 'visible' && navigator.onLine && session.get().state === 'in';
    if (!isUseful) end();
    else if (following === undefined) {
      following = new AbortController();
      void followInTurn(following.signal);
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

/** Locks exist on https and on this machine; elsewhere each tab has a stream of its own. */
async function followInTurn(signal: AbortSignal): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return follow(signal, (part) => refresh([part]));
  const work = () => follow(signal, changed);
  await locks.request('studytrack.events', { signal }, work).catch(() => undefined); // aborted before its turn
}

type Read = (part: Part) => Promise<void>;

/** Connects again when the stream has ended, later after each failure. */
async function follow(signal: AbortSignal, read: Read): Promise<void> {
  const readAgain = oneAtATime(read);
  for (let pause = shortestPause; !signal.aborted; pause = Math.min(2 * pause, longestPause)) {
    let asked = 0;
    try {
      for await (const { type, topics } of readEvents(api, { signal })) {
        pause = shortestPause / 2;
        const named = type === 'ready' ? allTopics : topics;
        for (const part of new Set(named.flatMap((topic) => partsOf[topic]))) void readAgain(part);
      }
    } catch (error) {
      asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
    }
    // At random, so that a service that was restarted does not get all pages at the same moment.
    await wait(Math.max(asked, pause) * (1 + Math.random()), signal);
  }
}

/** Ends early when aborted, so that another tab can take over. */
const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    setTimeout(resolve, milliseconds);
  });

/** Parts are read side by side, so that none waits for another. What changes during its reading is read once more, after it. */
function oneAtATime(read: Read): Read {
  const reading = new Map<Part, 'once' | 'again'>();
  return async (part) => {
    if (reading.has(part)) return void reading.set(part, 'again');
    do {
      reading.set(part, 'once');
      await Promise.race([read(part), new Promise((resolve) => setTimeout(resolve, longestReading))]);
    } while (reading.get(part) === 'again');
    reading.delete(part);
  };
}
