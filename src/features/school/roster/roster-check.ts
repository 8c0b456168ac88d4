import type { Clock } from '../../../lib/clock.ts';
import type { FieldError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { maxMembers } from '../../accounts/groups/group-schemas.ts';
import { maxClasses } from './file/oneroster.ts';
import { maxErrors, type RosterError } from './file/roster-row.ts';
import * as difference from './roster-difference-read-model.ts';
import { planRow, type RosterPlan, type RosterTarget } from './roster-plan.ts';
import type { Roster } from './roster-repository.ts';
import * as rosters from './roster-repository.ts';
import type { MatchedRow } from './roster-row-repository.ts';
import * as rosterRows from './roster-row-repository.ts';

const pageRows = 500;
const shownGroups = 100;
/** As many as an archive has classes. */
const maxNewGroups = maxClasses;

/** Missing accounts that are deactivated unless the administrator says how many: more may mean that the file is not complete. */
const usualMissing = (rows: number) => Math.max(10, Math.floor(rows / 5));

/** Compares a roster with the accounts. It locks nothing but its own rows, and can be repeated. */
export function createRosterCheck({ store, clock }: { store: Db; clock: Clock }) {
  /** What is wrong with the rows, in the order of the file. */
  async function plan({ id }: Roster, add: (row: number, error: FieldError) => void): Promise<void> {
    for (let after = 0; ; ) {
      const page = await rosterRows.match(store, id, after, pageRows);
      const plans: RosterPlan[] = [];
      for (const row of page) {
        const planned = planRow(row, row, targetIn(row));
        if (Array.isArray(planned)) for (const error of planned) add(row.row, error);
        else plans.push(planned);
      }
      await rosterRows.savePlans(store, id, plans);
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) return;
      after = last.row;
    }
  }

  return async function check(roster: Roster): Promise<void> {
    const { id, dry_run, missing, format } = roster;
    const file = format === 'oneroster' ? 'users.csv' : '';
    const errors: RosterError[] = [...roster.errors];
    let { errors_count } = roster;
    const add = (row: number, error: FieldError) => {
      errors_count += 1;
      if (errors.length < maxErrors) errors.push({ file, row, ...error });
    };
    await rosterRows.deleteMissing(store, id);
    await plan(roster, add);
    for (const { row, other_row } of await rosterRows.listSameAccounts(store, id))
      add(row, { field: 'username', message: { key: 'roster_same_account', params: { row: other_row } } });
    for (const { name, members, row } of await difference.listLargeGroups(store, id, maxMembers)) {
      const params = { found: name, members, maximum: maxMembers };
      add(row, { field: 'group', message: { key: 'roster_group_too_large', params } });
    }
    const created = await difference.listNewGroups(store, id, maxNewGroups + 1);
    const excess = created[maxNewGroups];
    if (excess !== undefined)
      add(excess.row, {
        field: 'group',
        message: { key: 'roster_many_new_groups', params: { maximum: maxNewGroups } },
      });
    // Accounts of rows with errors would seem to be missing.
    if (errors_count === 0) await rosterRows.addMissing(store, id, missing === 'keep');
    const new_groups = created.slice(0, shownGroups).map(({ name }) => name);
    const counts = { ...(await difference.count(store, id)), new_groups };
    const maximum = roster.deactivate_at_most ?? usualMissing(roster.rows);
    if (!dry_run && missing === 'deactivate' && counts.missing > maximum) {
      const message = { key: 'roster_many_missing', params: { missing: counts.missing, maximum } } as const;
      add(1, { field: 'deactivate_at_most', message });
    }
    if (!(await rosters.saveCheck(store, id, { counts, errors, errors_count }))) return;
    if (dry_run) await rosters.finish(store, id, 'done', clock());
    else if (errors_count > 0) await rosters.finish(store, id, 'failed', clock());
    else await rosters.setState(store, id, 'checking', 'writing');
  };
}

export type RosterCheck = ReturnType<typeof createRosterCheck>;

function targetIn(row: MatchedRow): RosterTarget | undefined {
  const { user_id, user_username, user_email, user_display_name, role, status, groups, roster_groups } = row;
  if (user_id === null || user_username === null || role === null || status === null) return undefined;
  const known = { external_id: row.known_external_id, deactivated: row.deactivated === true };
  return {
    id: user_id,
    username: user_username,
    email: user_email ?? '',
    display_name: user_display_name ?? '',
    role,
    status,
    groups,
    roster_groups,
    known: row.is_known ? known : undefined,
  };
}
