import type { roles, userStatuses } from '../../../actor.ts';
import type { FieldError } from '../../../texts/errors.ts';
import type { RosterRow } from './file/roster-row.ts';

export type RosterChange = { field: string; before: string | null; after: string | null };
export const rosterKinds = ['new', 'existing', 'missing', 'left_out'] as const;

/** The account that a row names, as it is now. */
export type RosterTarget = {
  id: number;
  username: string;
  email: string;
  display_name: string;
  role: (typeof roles)[number];
  status: (typeof userStatuses)[number];
  /** Undefined if no roster has named it. */
  known: { external_id: string | null; deactivated: boolean } | undefined;
  groups: readonly string[];
  /** Those of its groups that rosters have added it to. */
  roster_groups: readonly string[];
};
/** The accounts found by each of the names: the external id counts more than the e-mail address, and that more than the username. */
export type RosterMatch = { by_external_id: number | null; by_email: number | null; by_username: number | null };

export type RosterPlan = {
  row: number;
  kind: (typeof rosterKinds)[number];
  user_id: number | null;
  changes: RosterChange[];
  joins: string[];
  leaves: string[];
  /** Nothing is to be done. */
  settled: boolean;
};

/** What a row changes, or what is wrong with it. */
export function planRow(
  row: RosterRow,
  match: RosterMatch,
  target: RosterTarget | undefined,
): RosterPlan | FieldError[] {
  if (target === undefined) {
    const missing = (['username', 'email'] as const).filter((field) => row[field] === null);
    if (missing.length > 0) return missing.map((field) => ({ field, message: { key: 'roster_new_needs' } }));
    return { ...none, row: row.row, kind: 'new', user_id: null, joins: row.group_names ?? [] };
  }
  if (target.role === 'admin') return { ...none, row: row.row, kind: 'left_out', user_id: target.id, settled: true };
  const errors = conflicts(row, match, target);
  if (errors.length > 0) return errors;
  const [changes, { joins, leaves }] = [changesOf(row, target), movesOf(row, target)];
  const isReactivated = target.known?.deactivated === true && target.status === 'active';
  const isKnown = target.known !== undefined && !isReactivated;
  const settled = isKnown && changes.length + joins.length + leaves.length === 0;
  return { row: row.row, kind: 'existing', user_id: target.id, changes, joins, leaves, settled };
}

const none = { changes: [], joins: [], leaves: [], settled: false };

/** A name of another account, or an account that has another number, may be another person. */
function conflicts(row: RosterRow, match: RosterMatch, { id, username, known }: RosterTarget): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['email', 'username'] as const)
    if (match[`by_${field}`] !== null && match[`by_${field}`] !== id)
      errors.push({ field, message: { key: 'roster_of_other', params: { found: row[field] ?? '', username } } });
  const current = known?.external_id ?? null;
  if (current !== null && row.external_id !== null && current !== row.external_id)
    errors.push({ field: 'external_id', message: { key: 'roster_other_id', params: { username, current } } });
  return errors;
}

function changesOf(row: RosterRow, target: RosterTarget): RosterChange[] {
  const changes: RosterChange[] = [];
  for (const field of ['username', 'email', 'display_name'] as const) {
    const after = row[field];
    if (after !== null && after !== target[field]) changes.push({ field, before: target[field], after });
  }
  const current = target.known?.external_id ?? null;
  if (row.external_id !== null && current === null)
    changes.push({ field: 'external_id', before: null, after: row.external_id });
  if (target.status === 'inactive' && target.known?.deactivated === true)
    changes.push({ field: 'status', before: 'inactive', after: 'active' });
  return changes;
}

/** A membership that rosters have not added stays, even if one names the group. */
function movesOf({ group_names }: RosterRow, { groups, roster_groups }: RosterTarget) {
  if (group_names === null) return { joins: [], leaves: [] };
  const fold = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  const [wanted, current] = [fold(group_names), fold(groups)];
  return {
    joins: group_names.filter((name) => !current.has(name.toLowerCase())),
    leaves: roster_groups.filter((name) => !wanted.has(name.toLowerCase())),
  };
}
