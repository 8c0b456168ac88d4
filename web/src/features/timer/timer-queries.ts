import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api } from '../../lib/api.ts';
import { useNow } from '../../lib/clock.ts';
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

export const startTimer = ({ id, name }: Startable, minutesAgo = 0) =>
  outbox.startTimer({ project_id: id, project_name: name, started_at: outbox.now(minutesAgo), note: '' });

/** Returns the record, or an estimate while it has not been sent. */
export async function stopTimer(timer: Timer, note: string): Promise<StoppedTimer> {
  const ended_at = outbox.now();
  const record = await outbox.changeTimer(timer, { ended_at, note });
  const seconds = Math.floor((Date.parse(ended_at) - Date.parse(timer.started_at)) / 1000);
  return record ?? { ...timer, note, duration_seconds: Math.max(1, seconds) };
}

export const moveStart = (timer: Timer, minutes: number) =>
  outbox.changeTimer(timer, {
    started_at: new Date(Date.parse(timer.started_at) - minutes * 60_000).toISOString(),
  });

export const saveNote = (timer: KnownTimer, note: string) => outbox.changeTimer(timer, { note });
