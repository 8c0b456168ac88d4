import { queryClient } from './query.ts';

/** The first element of every query key. */
export type Part =
  | 'timer'
  | 'projects'
  | 'sessions'
  | 'imports'
  | 'stats'
  | 'sign-ins'
  | 'tokens'
  | 'calendar'
  | 'channel'
  | 'export'
  | 'requests'
  | 'users'
  | 'school-year'
  | 'rosters'
  | 'progress'
  | 'audit'
  | 'webhooks'
  | 'report-links';

const channel = new BroadcastChannel('studytrack.changes');

channel.addEventListener('message', ({ data }: MessageEvent<readonly Part[]>) => refresh(data));

/** Refetches what the page shows after a change elsewhere; a hidden page refetches when it becomes visible. */
export async function refresh(parts: readonly Part[]): Promise<void> {
  const refetchType = document.visibilityState === 'visible' ? 'active' : 'none';
  await Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: [part], refetchType })));
}

/** Refetches after a change, here and in other tabs. */
export function changed(...parts: Part[]): Promise<void> {
  channel.postMessage(parts);
  return refresh(parts);
}

/** After a change of study records, which all these parts depend on. */
export const recordsChanged = () => changed('sessions', 'stats', 'projects', 'timer');
