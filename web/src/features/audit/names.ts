import { useMemo } from 'react';
import { useGroups, useStudents } from '../assignments/board-queries.ts';
import { useAdministrators } from './audit-queries.ts';

export type Names = Record<'user' | 'group', ReadonlyMap<number, string>>;

/** The log has numbers only. Names of those who exist and are active; others keep their number. */
export function useNames(): Names {
  const { data: students } = useStudents();
  const { data: administrators } = useAdministrators();
  const { data: groups } = useGroups();
  return useMemo(
    () => ({
      user: new Map([...(students ?? []), ...(administrators ?? [])].map(({ id, display_name }) => [id, display_name])),
      group: new Map((groups ?? []).map(({ id, name }) => [id, name])),
    }),
    [students, administrators, groups],
  );
}
