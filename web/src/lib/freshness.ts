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
  | 'requests'
  | 'users'
  | 'progress';

const channel = new BroadcastChannel('studytrack.changes');

channel.addEventListener('message', ({ data }: MessageEvent<readonly Part[]>) => refresh(data));

async function refresh(parts: readonly Part[]): Promise<void> {
  await Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: [part] })));
}

/** After a change: whatever shows it is read again, here and in other tabs. */
export function changed(...parts: Part[]): Promise<void> {
  channel.postMessage(parts);
  return refresh(parts);
}

/** After a change of study records: they are in everything but the account. */
export const recordsChanged = () => changed('sessions', 'stats', 'projects', 'timer');
