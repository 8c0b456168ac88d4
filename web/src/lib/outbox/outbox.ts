import { useSyncExternalStore } from 'react';
import { ApiError, api, type Schemas } from '../api.ts';
import { recordsChanged } from '../freshness.ts';
import { withLock } from '../lock.ts';
import { outage } from '../outage.ts';
import { session } from '../session.ts';
import { findRecord, send } from './send.ts';
import { type Entry, type NewRecord, store, type TimerChange } from './store.ts';

export type { Entry, TimerChange } from './store.ts';

type Session = Schemas['Session'];
type Without<E, K extends string> = Omit<E, K | 'kind' | 'key' | 'at'>;

const [minPause, maxPause] = [2000, 60_000];
let pause = minPause;
let timer: ReturnType<typeof setTimeout> | undefined;
let queue: Promise<void> = Promise.resolve();
/** Results of entries that this tab sent or discarded. */
const sent = new Map<string, Session | undefined>();
const failed = new Map<string, unknown>();
/** Keys of the timers that this tab started, by session id. */
const started = new Map<number, string>();

/** Sends the queued entries in order, in one tab at a time. */
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
      const record = await send(entry, ({ id }) => {
        if (isStart) started.set(id, key);
        isSent = true; // also if the next step of the entry is rejected
      });
      if (record !== undefined) sent.set(key, record); // otherwise another tab has just sent it
      isSent = true;
      pause = minPause;
      outage.end();
    } catch (error) {
      if (!isPermanentError(error)) {
        store.update(entry.key, { isWaiting: true });
        retryLater(error);
        break;
      }
      failed.set(entry.key, error);
      store.update(entry.key, { refused: error.message });
    }
  }
  if (isSent) void recordsChanged();
}

/** A permanent rejection. Rate limits, an expired sign-in, an outage and proxy errors are temporary. */
function isPermanentError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code === 'UNEXPECTED_ANSWER') return false;
  return error.status < 500 && error.status !== 429 && error.status !== 401;
}

function retryLater(error: unknown): void {
  if (outage.begin(error)) return; // it schedules the retry
  const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  timer = setTimeout(() => void flush(), Math.max(retryAfter, pause));
  pause = Math.min(pause * 2, maxPause);
}

/** Sends when the page becomes visible, online or signed in, or an outage ends. */
export function watchOutbox(): () => void {
  const wake = () => {
    if (document.visibilityState === 'visible' && store.all().length > 0) void flush();
  };
  wake();
  window.addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  const unsubscribe = [session.subscribe(wake), outage.onTry(() => void flush())];
  return () => {
    window.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
    for (const end of unsubscribe) end();
  };
}

/**
 * Stores the entry and sends it. Returns the service's record, or undefined if it stays queued; throws if the service
 * rejects a new entry.
 */
async function submit(entry: Entry): Promise<Session | undefined> {
  const isNew = store.find(entry.key) === undefined;
  store.put(entry);
  if (!isNew) store.update(entry.key, { refused: undefined }); // its content has changed
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

/** A running or just stopped timer, sent or queued. */
export type KnownTimer = Pick<Session, 'project_id' | 'project_name' | 'started_at' | 'note'> & {
  tags?: string[];
  id?: number | undefined;
  key?: string | undefined;
};

type TimerFields = Partial<Pick<Session, 'note' | 'tags' | 'started_at' | 'project_id' | 'project_name'>> & {
  ended_at?: string;
};

export const outbox = {
  /** The current time by the service's clock, for times that are sent to it. */
  now: (minutesAgo = 0) => new Date(api.serverTime().getTime() - minutesAgo * 60_000).toISOString(),

  startTimer: (timer: Without<TimerChange, 'session_id' | 'told' | 'ended_at'>) =>
    submit({ ...timer, ...identity(), kind: 'timer', isStart: true }),

  addRecord: (record: Without<NewRecord, never>) => submit({ ...record, ...identity(), kind: 'record' }),

  /** Changes a timer or the record that it became; merged into its queued entry, if any. */
  async changeTimer(timer: KnownTimer, changes: TimerFields) {
    const { project_id, project_name, started_at, note, tags = [] } = timer;
    let id = timer.id ?? sent.get(timer.key ?? '')?.id;
    const waits = (entry: Entry) =>
      entry.key === timer.key || (entry.kind === 'timer' && id !== undefined && entry.session_id === id);
    const waiting = store.all().find(waits);
    if (waiting !== undefined) {
      const record = await submit({ ...waiting, ...changes } as Entry); // the kind does not change
      if (sent.has(waiting.key) || store.find(waiting.key) !== undefined) return record;
    }
    if (id === undefined && waiting === undefined) {
      id = (await findRecord(timer))?.id;
      if (id === undefined) throw new Error('timer not found');
    }
    const place = id === undefined ? { began: started_at } : { session_id: id };
    const known = { project_id, project_name, started_at, note, tags, ...place, ...changes };
    const told = {
      ...(changes.note === undefined && { note }),
      ...(changes.tags === undefined && { tags }),
      ...(changes.started_at === undefined && { started_at }),
      ...(changes.project_id === undefined && { project_id }),
    };
    // Another tab may have sent the timer with or without these changes, so they are sent again.
    return submit({ ...known, ...identity(), kind: 'timer', told });
  },

  /** Stays the same when the service assigns an id. */
  nameOf: ({ id, key }: KnownTimer): string => key ?? started.get(id ?? 0) ?? String(id),

  /** Retries a refused entry. */
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
