import type { Schemas } from '../../lib/api.ts';

type Name = Schemas['AuditName'];
export type Names = Record<Name['type'], ReadonlyMap<number, string>>;

/** Names by type and id. Objects that no longer exist have none and are shown by id. */
export function namesOf(names: readonly Name[]): Names {
  const ofType = (type: Name['type']) =>
    new Map(names.filter((named) => named.type === type).map(({ id, name }) => [id, name]));
  return { user: ofType('user'), project: ofType('project'), group: ofType('group') };
}
