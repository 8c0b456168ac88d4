import { api, isApiError, type Schemas } from '../api.ts';
import { queryClient } from '../query.ts';
import { session } from '../session.ts';
import { type Entry, type NewRecord, store, type TimerChange } from './store.ts';

type Session = Schemas['Session'];

/** The service starts no timer further back. */
const maxBackdating = 24 * 3_600_000;
const timeoutMilliseconds = 20_000;

/** A hanging connection must not block the queue. */
const signal = () => AbortSignal.timeout(timeoutMilliseconds);

/** Sends one entry and removes it; returns the service's record. `onArrived` receives it before it is shown. */
export async function send(entry: Entry, onArrived: (record: Session) => void): Promise<Session | undefined> {
  store.update(entry.key, { isTried: true });
  const arrived = async (record: Session) => {
    onArrived(record);
    await show(record);
    return record;
  };
  const record = await (entry.kind === 'record' ? createRecord(entry).then(arrived) : sendTimer(entry, arrived));
  store.remove(entry.key);
  return record;
}

/**
 * Updates the timer bar before the entry is removed, to avoid flicker. A timer that was requested before is not shown
 * any more: its response could be older than the record.
 */
async function show(record: Session): Promise<void> {
  await queryClient.cancelQueries({ queryKey: ['timer'] });
  queryClient.setQueryData<Session | null>(['timer'], (before) => {
    if (record.ended_at === null) return record;
    return before?.id === record.id ? null : before;
  });
}

async function createRecord(entry: Omit<NewRecord, 'kind'>): Promise<Session> {
  const { key, project_id, started_at, ended_at, note, tags = [] } = entry;
  const body = { started_at, ended_at, note, tags };
  return api
    .post('/api/projects/{id}/sessions', { params: { id: project_id }, body, idempotencyKey: key, signal: signal() })
    .then(({ data }) => data)
    .catch((error: unknown) => findArrived(entry, error));
}

/**
 * Sends step by step and stores each step, so that none is repeated and changes added meanwhile are sent, too. Each
 * result is shown, because the next step may be rejected.
 */
async function sendTimer(
  { key, isTried = false }: TimerChange,
  arrived: (record: Session) => Promise<Session>,
): Promise<Session | undefined> {
  let latest: Session | undefined;
  for (let step = await nextStep(key, isTried); step !== undefined; step = await nextStep(key, isTried))
    latest = await arrived(step);
  return latest;
}

async function nextStep(key: string, isTried: boolean): Promise<Session | undefined> {
  const entry = store.find(key);
  if (entry?.kind !== 'timer') return undefined;
  const { session_id, told, started_at, note, tags = [], project_id, ended_at, isStopped } = entry;
  if (session_id === undefined) return entry.isStart === true ? start({ ...entry, isTried }) : identify(entry);
  const changes = {
    ...(note !== told?.note && { note }),
    ...(tags.join('\n') !== (told?.tags ?? []).join('\n') && { tags }),
    ...(started_at !== told?.started_at && { started_at }),
    ...(project_id !== told?.project_id && { project_id }),
  };
  if (Object.keys(changes).length > 0) {
    // The last write wins: only the user writes it.
    const options = { params: { id: session_id }, body: changes, ifMatch: false, signal: signal() } as const;
    const { data } = await api.put('/api/sessions/{id}', options);
    store.update(key, { told: { started_at, note, tags, project_id } });
    return data;
  }
  if (ended_at === undefined || isStopped === true) return undefined;
  const { data } = await api.post('/api/timer/stop', { body: { session_id, ended_at }, signal: signal() });
  store.update(key, { isStopped: true });
  return data;
}

/**
 * Finds the record of a timer that another tab has sent. If its start was moved since, it is not found, but then the
 * other tab has sent the changes.
 */
async function identify({ key, project_id, began, started_at }: TimerChange): Promise<Session | undefined> {
  let found: Session | undefined;
  for (const start of new Set([began ?? started_at, started_at]))
    found ??= await findRecord({ project_id, started_at: start });
  if (found !== undefined) store.update(key, { session_id: found.id });
  return found;
}

async function start(entry: TimerChange): Promise<Session> {
  const { key, ended_at } = entry;
  const { started_at, note, tags = [], project_id } = entry;
  const told = { started_at, note, tags, project_id, ...entry.told };
  store.update(key, { told }); // a retry must send the same
  const isLate = api.serverTime().getTime() - Date.parse(told.started_at) > maxBackdating;
  if (isLate && ended_at !== undefined) {
    const record = await createRecord({ ...entry, ...told, ended_at });
    store.update(key, { session_id: record.id, isStopped: record.ended_at !== null });
    return record;
  }
  const timer = await api
    .post('/api/timer/start', { body: told, idempotencyKey: key, signal: signal() })
    .then(({ data }) => data)
    .catch((error: unknown) => findArrived({ ...entry, ...told }, error));
  store.update(key, { session_id: timer.id });
  return timer;
}

type RecordQuery = Pick<NewRecord, 'project_id' | 'started_at' | 'isTried'> & {
  kind?: Entry['kind'];
  ended_at?: string;
};

/** Idempotency keys expire after a day: an entry that then overlaps itself had arrived, and the response was lost. */
async function findArrived(entry: RecordQuery, error: unknown): Promise<Session> {
  if (entry.isTried !== true || !isApiError(error, 'SESSION_OVERLAP')) throw error;
  const found = await findRecord(entry);
  if (found === undefined || (entry.kind === 'record' && found.ended_at !== entry.ended_at)) throw error;
  return found;
}

/** The user's record on the project that begins at that time. */
export async function findRecord({ project_id, started_at }: RecordQuery): Promise<Session | undefined> {
  const id = session.get().account?.id;
  if (id === undefined) return undefined;
  const query = { user_id: id, project_id, from: started_at, order: 'asc', limit: 1 } as const;
  const [found] = (await api.get('/api/sessions', { query, signal: signal() })).data.sessions;
  return found !== undefined && Date.parse(found.started_at) === Date.parse(started_at) ? found : undefined;
}
