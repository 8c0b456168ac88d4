import type { Schemas } from '../../lib/api.ts';
import type { Entry, KnownTimer } from '../../lib/outbox/outbox.ts';

/** A running timer. It has no duration from the service until its start was sent. */
export type Timer = KnownTimer & { duration_seconds?: number; planned_minutes?: number | null };

/** Applies unsent entries to the timer that the service returned. */
export function withPending(
  known: Schemas['Session'] | null | undefined,
  entries: readonly Entry[],
): Timer | null | undefined {
  let timer: Timer | null | undefined = known;
  for (const entry of entries) {
    if (entry.kind !== 'timer' || entry.refused !== undefined) continue;
    const { session_id: id, ended_at, project_id, project_name, started_at, note, tags = [] } = entry;
    const isOfTimer = id === undefined ? entry.began === timer?.started_at : timer?.id === id;
    if (entry.isStart !== true && !isOfTimer) continue;
    const earlier = Date.parse(timer?.started_at ?? started_at) - Date.parse(started_at);
    const seconds = timer?.id === id ? timer?.duration_seconds : undefined;
    timer =
      ended_at !== undefined
        ? null
        : {
            id,
            key: entry.isStart === true ? entry.key : timer?.key,
            project_id,
            project_name,
            started_at,
            note,
            tags,
            ...(seconds !== undefined && { duration_seconds: seconds + earlier / 1000 }),
          };
  }
  return timer;
}
