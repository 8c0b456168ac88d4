import { queryClient } from './query.ts';

/** Parts of what the service knows: the first word of every query's key. */
export type Part =
  | 'timer'
  | 'projects'
  | 'sessions'
  | 'stats'
  | 'sign-ins'
  | 'tokens'
  | 'calendar'
  | 'export'
  | 'requests'
  | 'users'
  | 'progress'
  | 'audit'
  | 'webhooks';

const channel = new BroadcastChannel('studytrack.changes');

channel.addEventListener('message', ({ data }: MessageEvent<readonly Part[]>) => refresh(data));

/** After a change elsewhere: what this page shows of it is read again, by a hidden page when it becomes visible. */
export async function refresh(parts: readonly Part[]): Promise<void> {
  const refetchType = document.visibilityState === 'visible' ? 'active' : 'none';
  await Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: [part], refetchType })));
}

/** After a change: whatever shows it is read again, here and in other tabs. */
export function changed(...parts: Part[]): Promise<void> {
  channel.postMessage(parts);
  return refresh(parts);
}

/** After a change of study records: they are in everything but the account. */
export const recordsChanged = () => changed('sessions', 'stats', 'projects', 'timer');
