import type { Schemas } from '../../lib/api.ts';

type Name = Schemas['AuditName'];
export type Names = Record<Name['type'], ReadonlyMap<number, string>>;

/** By type and number. What does not exist any more keeps its number. */
export function namesOf(names: readonly Name[]): Names {
  const ofType = (type: Name['type']) =>
    new Map(names.filter((named) => named.type === type).map(({ id, name }) => [id, name]));
  return { user: ofType('user'), project: ofType('project'), group: ofType('group') };
}
