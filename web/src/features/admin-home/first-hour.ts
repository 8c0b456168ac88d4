import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../lib/api.ts';
import { deviceStorage } from '../../lib/storage.ts';
import { useGroups } from '../assignments/board-queries.ts';
import type { Student } from '../progress/progress-queries.ts';

type Account = Schemas['ManagedUser'];
const dayMilliseconds = 86_400_000;
/** So long a new account may wait for its first sign-in before it needs attention. */
const daysToSignIn = 7;
const pageSize = 100;
const hiddenKey = 'studytrack.first-hour-hidden';

/** The accounts of students, the newest first, read while somebody may not have signed in. */
function useNewest(isNeeded: boolean) {
  return useQuery({
    queryKey: ['users', 'newest'],
    queryFn: async ({ signal }): Promise<Account[]> => {
      const query = { role: 'user', status: 'active', limit: pageSize } as const;
      return (await api.get('/api/admin/users', { query, signal })).data.users;
    },
    enabled: isNeeded,
  });
}

/** The ids of students with new accounts who have not signed in yet, and until when that is no reason to worry. */
export function useWaiting(students: readonly Student[]) {
  const idle = new Set(
    students.flatMap(({ user_id, last_session, running_timer }) =>
      last_session === null && running_timer === null ? user_id : [],
    ),
  );
  const { data = [] } = useNewest(idle.size > 0);
  const since = Date.now() - daysToSignIn * dayMilliseconds;
  const waiting = data.filter(
    ({ id, last_login_at, created_at }) => idle.has(id) && last_login_at === null && Date.parse(created_at) > since,
  );
  const first = waiting.at(-1)?.created_at;
  return {
    ids: new Set(waiting.map(({ id }) => id)),
    since: first,
    until: first === undefined ? undefined : new Date(Date.parse(first) + daysToSignIn * dayMilliseconds).toISOString(),
  };
}

function useProjectCount(isNeeded: boolean) {
  return useQuery({
    queryKey: ['projects', 'count'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects', { query: { limit: 1 }, signal })).data.pagination.total,
    enabled: isNeeded,
  });
}

/** What a new school has done so far; undefined once everything is done, or the list is hidden. */
export function useFirstHour(students: readonly Student[] | undefined) {
  const [isHidden, setHidden] = useState(() => deviceStorage.read(hiddenKey) !== undefined);
  const hasStudied = students?.some(
    ({ last_session, running_timer }) => last_session !== null || running_timer !== null,
  );
  const isNeeded = !isHidden && students !== undefined && hasStudied === false;
  const { data: groups } = useGroups();
  const { data: projects } = useProjectCount(isNeeded);
  const { data: newest } = useNewest(isNeeded);
  if (!isNeeded || groups === undefined || projects === undefined || newest === undefined) return undefined;
  const signedIn = newest.filter(({ last_login_at }) => last_login_at !== null).length;
  const group = groups.find(({ members_count }) => members_count > 0) ?? groups[0];
  const done = {
    students: students.length > 0,
    group: (group?.members_count ?? 0) > 0,
    project: projects > 0 && students.some(({ projects_assigned }) => projects_assigned > 0),
    slips: students.length > 0 && signedIn > 0,
  };
  if (Object.values(done).every(Boolean)) return undefined;
  function hide(): void {
    deviceStorage.write(hiddenKey, 1);
    setHidden(true);
  }
  return { done, count: students.length, signedIn, group, hide };
}
export type FirstHour = NonNullable<ReturnType<typeof useFirstHour>>;
