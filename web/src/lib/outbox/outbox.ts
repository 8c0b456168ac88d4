import { useSyncExternalStore } from 'react';
import { ApiError, api, type Schemas } from '../api.ts';
import { recordsChanged } from '../freshness.ts';
import { withLock } from '../lock.ts';
import { rest } from '../rest.ts';
import { session } from '../session.ts';
import { findRecord, send } from './send.ts';
import { type Entry, type NewRecord, store, type TimerChange } from './store.ts';

export type { Entry, TimerChange } from './store.ts';

type Session = Schemas['Session'];
type Without<E, K extends string> = Omit<E, K | 'kind' | 'key' | 'at'>;

const [shortestPause, longestPause] = [2000, 60_000];
let pause = shortestPause;
let timer: ReturnType<typeof setTimeout> | undefined;
let queue: Promise<void> = Promise.resolve();
/** What became of entries that this tab sent or discarded. */
const sent = new Map<string, Session | undefined>();
const failed = new Map<string, unknown>();
/** Keys of the timers that this tab started, by their id. */
const started = new Map<number, string>();

/** Sends what waits, one after the other, in one tab at a time. */
export function flush(): Promise<void> {
  clearTimeout(timer);
  queue = queue.then(() => withLock('outbox', sendAll)).catch(() => undefined);
  return queue;
}

async function sendAll(): Promise<void> {
  const next = () => store.all().find(({ refused }) => refused === undefined);
  let isSent = false;
  for (let entry = next(); entry !== undefined && session.get().state === 'in'; entry = next()) {
    try {
      const { key } = entry;
      const isStart = entry.kind === 'timer' && entry.isStart === true;
      const record = await send(entry, ({ id }) => isStart && started.set(id, key));
      if (record !== undefined) sent.set(key, record); // or another tab had just sent it
      isSent = true;
      pause = shortestPause;
      rest.end();
    } catch (error) {
      if (!isRefusal(error)) {
        store.update(entry.key, { isWaiting: true });
        again(error);
        break;
      }
      failed.set(entry.key, error);
      store.update(entry.key, { refused: error.message });
    }
  }
  if (isSent) void recordsChanged();
}

/** What the service would say again. Limits, an ended sign-in, a service that rests and a proxy in between pass. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code === 'UNEXPECTED_ANSWER') return false;
  return error.status < 500 && error.status !== 429 && error.status !== 401;
}

function again(error: unknown): void {
  if (rest.begin(error)) return; // its pause is ours
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  timer = setTimeout(() => void flush(), Math.max(asked, pause));
  pause = Math.min(pause * 2, longestPause);
}

/** Sends when there is a chance again. */
export function watchOutbox(): () => void {
  const wake = () => {
    if (document.visibilityState === 'visible' && store.all().length > 0) void flush();
  };
  wake();
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  const unsubscribe = [session.subscribe(wake), rest.onTry(() => void flush())];
  return () => {
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
    for (const end of unsubscribe) end();
  };
}

/**
 * Writes the entry down and sends it. Returns the record as the service has it, undefined when it waits to be sent; throws
 * when the service refuses what was not waiting before.
 */
async function submit(entry: Entry): Promise<Session | undefined> {
  const isNew = store.find(entry.key) === undefined;
  store.put(entry);
  if (!isNew) store.update(entry.key, { refused: undefined }); // it says something else now
  await flush();
  const error = failed.get(entry.key);
  failed.delete(entry.key);
  if (error === undefined || !isNew) return sent.get(entry.key);
  store.remove(entry.key);
  throw error;
}

function discard(key: string): void {
  sent.set(key, undefined);
  store.remove(key);
}

const identity = () => ({
  key: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  at: Date.now(),
});

/** A timer that runs, or has just ended: as the service knows it, or as it waits. */
export type KnownTimer = Pick<Session, 'project_id' | 'project_name' | 'started_at' | 'note'> & {
  id?: number | undefined;
  key?: string | undefined;
};

export const outbox = {
  /** Now by the clock of the service, as times are sent to it. */
  now: (minutesAgo = 0) => new Date(api.serverTime().getTime() - minutesAgo * 60_000).toISOString(),

  startTimer: (timer: Without<TimerChange, 'session_id' | 'told' | 'ended_at'>) =>
    submit({ ...timer, ...identity(), kind: 'timer', isStart: true }),

  addRecord: (record: Without<NewRecord, never>) => submit({ ...record, ...identity(), kind: 'record' }),

  /** Note, start or end of a timer, or of the record that it became; added to what waits for it. */
  async changeTimer(timer: KnownTimer, changes: { note?: string; started_at?: string; ended_at?: string }) {
    const { project_id, project_name, started_at, note } = timer;
    let id = timer.id ?? sent.get(timer.key ?? '')?.id;
    const waits = (entry: Entry) =>
      entry.key === timer.key || (entry.kind === 'timer' && id !== undefined && entry.session_id === id);
    const waiting = store.all().find(waits);
    if (waiting !== undefined) {
      const record = await submit({ ...waiting, ...changes } as Entry); // of its own kind
      if (sent.has(waiting.key) || store.find(waiting.key) !== undefined) return record;
    }
    if (id === undefined && waiting === undefined) {
      id = (await findRecord(timer))?.id;
      if (id === undefined) throw new Error('the timer is not known');
    }
    const place = id === undefined ? { began: started_at } : { session_id: id };
    const known = { project_id, project_name, started_at, note, ...place, ...changes };
    const told = {
      ...(changes.note === undefined && { note }),
      ...(changes.started_at === undefined && { started_at }),
    };
    // Another tab may have sent the timer, before or after it saw these changes: they are sent again.
    return submit({ ...known, ...identity(), kind: 'timer', told });
  },

  /** The same before and after the service has given it an id. */
  nameOf: ({ id, key }: KnownTimer): string => key ?? started.get(id ?? 0) ?? String(id),

  /** Tries a refused entry once more. */
  retry(key: string): Promise<void> {
    store.update(key, { refused: undefined });
    return flush();
  },
  discard,
  discardAll: () => {
    for (const { key } of store.all()) discard(key);
  },
  all: store.all,
};

export const useOutbox = () => useSyncExternalStore(store.subscribe, store.all);
