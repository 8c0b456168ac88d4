import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api } from '../../lib/api.ts';
import { useNow } from '../../lib/clock.ts';
import { changed, recordsChanged } from '../../lib/freshness.ts';
import { type KnownTimer, outbox, useOutbox } from '../../lib/outbox/outbox.ts';
import { type Timer, withPending } from './with-pending.ts';

export type StoppedTimer = KnownTimer & { duration_seconds: number };
const key = ['timer'] as const;

/** The running timer, refetched every minute and on focus, because it may be stopped elsewhere. */
export function useTimer() {
  const { data: known, dataUpdatedAt } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get('/api/timer', { signal })).data,
    refetchInterval: 60_000,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  const entries = useOutbox();
  const data = useMemo(() => withPending(known, entries), [known, entries]);
  return { data, dataUpdatedAt };
}

/**
 * Seconds on the timer: the service's value plus the time since it was read. The device's clock may be wrong; only its
 * progress counts.
 */
export function useElapsed(): number {
  const { data, dataUpdatedAt } = useTimer();
  const client = useQueryClient();
  const refetch = useCallback(() => void client.invalidateQueries({ queryKey: key }), [client]);
  const now = useNow(data != null, refetch);
  if (data == null) return 0;
  const { duration_seconds: seconds, started_at } = data;
  if (seconds === undefined) return Math.max(0, Date.parse(outbox.now()) - Date.parse(started_at)) / 1000;
  return seconds + Math.max(0, now - dataUpdatedAt) / 1000;
}

type Startable = { id: number; name: string };
export type StartOptions = { minutesAgo?: number; startedAt?: string; note?: string; tags?: string[] };

export const startTimer = (
  { id, name }: Startable,
  { minutesAgo, startedAt, note = '', tags = [] }: StartOptions = {},
) =>
  outbox.startTimer({
    project_id: id,
    project_name: name,
    started_at: startedAt ?? outbox.now(minutesAgo),
    note,
    tags,
  });

/** Sets the minutes after which the timer signals; null for none. It needs a connection. */
export async function setPlanned({ id }: Timer, planned_minutes: number | null): Promise<void> {
  if (id === undefined) return;
  await api.put('/api/sessions/{id}', { params: { id }, body: { planned_minutes }, ifMatch: false });
  await changed('timer');
}

/** Stops the timer at once, also in the outbox; `saved` is the record, or undefined while it has not been sent. */
export function stopTimer(
  timer: Timer,
  note: string,
  ended_at = outbox.now(),
): { record: StoppedTimer; saved: Promise<StoppedTimer | undefined> } {
  const seconds = Math.floor((Date.parse(ended_at) - Date.parse(timer.started_at)) / 1000);
  const record = { ...timer, note, duration_seconds: Math.max(1, seconds) };
  return { record, saved: outbox.changeTimer(timer, { ended_at, note }) };
}

export const setStart = (timer: Timer, started_at: string) => outbox.changeTimer(timer, { started_at });

export const setProject = (timer: Timer, { id, name }: Startable) =>
  outbox.changeTimer(timer, { project_id: id, project_name: name });

export const saveTags = (timer: KnownTimer, tags: string[]) => outbox.changeTimer(timer, { tags });

export const saveNote = (timer: KnownTimer, note: string) => outbox.changeTimer(timer, { note });

/** Deletes a running timer, or the record of a stopped one. It fails without a connection. */
export async function discardTimer({ id, key }: Pick<KnownTimer, 'id' | 'key'>): Promise<void> {
  if (id === undefined) return outbox.discard(key ?? '');
  await api.delete('/api/sessions/{id}', { params: { id }, ifMatch: false });
  await recordsChanged();
}

/** Continues a stopped or discarded timer with its start, note and tags. */
export const resumeTimer = ({ project_id, project_name, started_at, note, tags = [] }: KnownTimer) =>
  startTimer({ id: project_id, name: project_name }, { startedAt: started_at, note, tags });
