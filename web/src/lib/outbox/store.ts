import { session } from '../session.ts';

type Common = {
  /** Identifies the entry; also its Idempotency-Key. */
  key: string;
  /** When it was stored; entries are sent in this order. */
  at: number;
  project_id: number;
  project_name: string;
  started_at: string;
  note: string;
  tags?: string[];
  /** Sent before, so it may have arrived. */
  isTried?: boolean;
  /** The last attempt failed. */
  isWaiting?: boolean;
  /** Why the service rejected it. */
  refused?: string;
};

/** A finished record. */
export type NewRecord = Common & { kind: 'record'; ended_at: string };

/** Starts a timer, or changes one, such as its end. */
export type TimerChange = Common & {
  kind: 'timer';
  session_id?: number;
  /** Includes the start. */
  isStart?: boolean;
  /** The timer's start before these changes, to find it while its id is unknown. */
  began?: string;
  /** Values already sent: a retry repeats them, and differences are sent afterwards. */
  told?: { started_at?: string; note?: string; tags?: string[]; project_id?: number };
  ended_at?: string;
  isStopped?: boolean;
};

export type Entry = NewRecord | TimerChange;

const prefix = 'studytrack.outbox.';
/** Sending progress is stored separately, so that the sending tab does not overwrite changes by other tabs. */
const sendingPrefix = 'studytrack.sending.';
const listeners = new Set<() => void>();
/** Fallback if storage is blocked. */
const memory = new Map<string, string>();
let shown: readonly Entry[] | undefined;

/** One storage item per entry, so that tabs do not overwrite each other's. */
const itemKey = (key: string, before = prefix) => `${before}${session.get().account?.id ?? 'nobody'}.${key}`;

function changed(): void {
  shown = undefined;
  for (const listener of listeners) listener();
}

window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(prefix) || key.startsWith(sendingPrefix)) changed();
});
session.subscribe(changed);

function load(): Entry[] {
  const own = itemKey('');
  let texts = [...memory].filter(([item]) => item.startsWith(own)).map(([, text]) => text);
  try {
    const items = Object.keys(localStorage).filter((item) => item.startsWith(own));
    texts = [...texts, ...items.map((item) => localStorage.getItem(item) ?? '')];
  } catch {
    // only those in memory
  }
  const entries = texts.flatMap((text) => parse<Entry>(text) ?? []);
  return entries.map((entry) => ({ ...entry, ...progressOf(entry.key) })).sort((a, b) => a.at - b.at);
}

type Progress = Partial<Omit<TimerChange, 'kind'>>;

function progressOf(key: string): Progress {
  return parse<Progress>(read(itemKey(key, sendingPrefix))) ?? {};
}

function read(item: string): string | null {
  try {
    return memory.get(item) ?? localStorage.getItem(item);
  } catch {
    return null;
  }
}

function write(item: string, value: object): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(item, text);
  } catch {
    memory.set(item, text);
  }
  changed();
}

function parse<T>(text: string | null): T | null {
  try {
    return JSON.parse(text ?? 'null') as T | null; // written above
  } catch {
    return null; // invalid value
  }
}

/** The signed-in user's unsent entries. Other users' entries stay stored until they sign in. */
export const store = {
  all(): readonly Entry[] {
    shown ??= load();
    return shown;
  },
  find: (key: string): Entry | undefined => store.all().find((entry) => entry.key === key),
  /** Stores an entry without its sending progress, which `update` stores. */
  put({ isTried: _tried, isWaiting: _waiting, refused: _refused, ...entry }: Entry): void {
    write(itemKey(entry.key), entry);
  },
  /** Stores the sending progress of an existing entry. */
  update(key: string, fields: { [K in keyof Progress]: Progress[K] | undefined }): void {
    if (store.find(key) !== undefined) write(itemKey(key, sendingPrefix), { ...progressOf(key), ...fields });
  },
  remove(key: string): void {
    for (const item of [itemKey(key), itemKey(key, sendingPrefix)]) {
      memory.delete(item);
      try {
        localStorage.removeItem(item);
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
