import { session } from '../session.ts';

type Common = {
  /** Names it here and at the service: a request that is repeated has the same Idempotency-Key. */
  key: string;
  /** When it was written down: they are sent in this order. */
  at: number;
  project_id: number;
  project_name: string;
  started_at: string;
  note: string;
  /** It was sent before, and may have arrived. */
  isTried?: boolean;
  /** The last try failed. */
  isWaiting?: boolean;
  /** Why the service does not accept it. */
  refused?: string;
};

/** A finished record. */
export type NewRecord = Common & { kind: 'record'; ended_at: string };

/** A timer: one to start, or changes of one that the service knows, such as its end. */
export type TimerChange = Common & {
  kind: 'timer';
  session_id?: number;
  /** It begins with a start. */
  isStart?: boolean;
  /** When the timer began before these changes: by that it is found while its id is not known. */
  began?: string;
  /** What the service was told, or knows: a repeat says the same, and what differs is changed afterwards. */
  told?: { started_at?: string; note?: string };
  ended_at?: string;
  isStopped?: boolean;
};

export type Entry = NewRecord | TimerChange;

const prefix = 'studytrack.outbox.';
/** What the tab that sends writes about an entry is an item of its own: it overwrites nothing that another tab adds meanwhile. */
const sendingPrefix = 'studytrack.sending.';
const listeners = new Set<() => void>();
/** Where storage is forbidden: for as long as the page is open. */
const memory = new Map<string, string>();
let shown: readonly Entry[] | undefined;

/** Each entry is an item of its own, so that tabs do not overwrite what others add. */
const placeOf = (key: string, before = prefix) => `${before}${session.get().account?.id ?? 'nobody'}.${key}`;

function changed(): void {
  shown = undefined;
  for (const listener of listeners) listener();
}

window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(prefix) || key.startsWith(sendingPrefix)) changed();
});
session.subscribe(changed);

function load(): Entry[] {
  const own = placeOf('');
  let texts = [...memory].filter(([place]) => place.startsWith(own)).map(([, text]) => text);
  try {
    const places = Object.keys(localStorage).filter((place) => place.startsWith(own));
    texts = [...texts, ...places.map((place) => localStorage.getItem(place) ?? '')];
  } catch {
    // only those in memory
  }
  const entries = texts.flatMap((text) => parse<Entry>(text) ?? []);
  return entries.map((entry) => ({ ...entry, ...progressOf(entry.key) })).sort((a, b) => a.at - b.at);
}

type Progress = Partial<Omit<TimerChange, 'kind'>>;

function progressOf(key: string): Progress {
  return parse<Progress>(read(placeOf(key, sendingPrefix))) ?? {};
}

function read(place: string): string | null {
  try {
    return memory.get(place) ?? localStorage.getItem(place);
  } catch {
    return null;
  }
}

function write(place: string, value: object): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(place, text);
  } catch {
    memory.set(place, text);
  }
  changed();
}

function parse<T>(text: string | null): T | null {
  try {
    return JSON.parse(text ?? 'null') as T | null; // written above
  } catch {
    return null; // something else wrote there
  }
}

/** What the signed-in user has done and the service does not know yet. Of nobody else: their entries wait for them. */
export const store = {
  all(): readonly Entry[] {
    shown ??= load();
    return shown;
  },
  find: (key: string): Entry | undefined => store.all().find((entry) => entry.key === key),
  /** Stores what is to be sent. How the last try went is for `update`, so that a retry can forget it. */
  put({ isTried: _tried, isWaiting: _waiting, refused: _refused, ...entry }: Entry): void {
    write(placeOf(entry.key), entry);
  },
  /** Notes how far an entry that is still there has been sent. */
  update(key: string, fields: { [K in keyof Progress]: Progress[K] | undefined }): void {
    if (store.find(key) !== undefined) write(placeOf(key, sendingPrefix), { ...progressOf(key), ...fields });
  },
  remove(key: string): void {
    for (const place of [placeOf(key), placeOf(key, sendingPrefix)]) {
      memory.delete(place);
      try {
        localStorage.removeItem(place);
      } catch {
        // it was in memory
      }
    }
    changed();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
