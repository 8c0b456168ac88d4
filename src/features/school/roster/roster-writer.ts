import { type Actor, type WriteContext, withLockedUsers } from '../../../actor.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { AppError, ConflictError, type FieldError, UnavailableError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { AccountLinkService } from '../../accounts/account-links/account-link-service.ts';
import * as groupRepository from '../../accounts/groups/group-repository.ts';
import { replaceMemberships } from '../../accounts/groups/group-service.ts';
import { newUser } from '../../accounts/users/account-creation.ts';
import { lockUser } from '../../accounts/users/user-changes.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import * as difference from './roster-difference-read-model.ts';
import type { Roster } from './roster-repository.ts';
import * as rosters from './roster-repository.ts';
import type { PendingRow } from './roster-row-repository.ts';
import * as rosterRows from './roster-row-repository.ts';

type Options = {
  store: Db;
  users: Pick<UserService, 'createWithoutPassword' | 'updateWithin'>;
  links: Pick<AccountLinkService, 'invite'>;
  securityLog: SecurityLog;
};
type Acting = Pick<Actor, 'id' | 'context'>;
type UserRow = Awaited<ReturnType<typeof lockUser>>;

const contextOf = ({ user_id: actor_id, sign_in_id, request_id }: Roster): WriteContext => {
  return { actor_id, sign_in_id, role: 'admin', action: 'importRoster', request_id };
};

/** Applies the rows of a roster one by one, each in a short transaction that verifies the rights of the administrator. */
export function createRosterWriter({ store, users, links, securityLog }: Options) {
  /** Stores what rosters know about an account, and its groups. Returns what could not be done. */
  async function link(tx: Tx, { external_id, group_names }: PendingRow, userId: number) {
    const account = await rosters.findAccount(tx, userId);
    const previous = account?.group_ids ?? [];
    const groups = group_names && (await replaceMemberships(tx, userId, group_names, previous));
    await rosters.setAccount(tx, userId, external_id, groups?.ids ?? null);
    const isComplete = groups === null || groups.found >= (group_names?.length ?? 0);
    return isComplete ? null : ({ field: 'group', message: { key: 'roster_group_full' } } satisfies FieldError);
  }

  async function create(tx: Tx, roster: Roster, actor: Acting, row: PendingRow) {
    const { username, email, display_name } = row;
    if (username === null || email === null) throw new Error('a new account without names was planned');
    const names = { username, email, ...(display_name !== null && { display_name }) };
    const fields = newUser({ ...names, role: 'user', status: 'active' }, roster.timezone);
    const user = await users.createWithoutPassword(tx, fields);
    tx.afterCommit(() => securityLog.note('user_created', actor, { target_user: user.id, role: user.role }));
    const problem = await link(tx, row, user.id);
    if (roster.invite) await links.invite(tx, actor, user);
    return { userId: user.id, problem };
  }

  /** The account may have changed since the comparison. */
  async function lockOrdinary(tx: Tx, id: number, losesAccess: boolean) {
    const user = await lockUser(tx, id, losesAccess);
    if (user.role === 'admin') throw new ConflictError('CONFLICT', 'roster_administrator');
    return user;
  }

  async function update(tx: Tx, actor: Acting, row: PendingRow, { id: userId, status }: UserRow) {
    const account = await rosters.findAccount(tx, userId);
    const { username, email, display_name } = row;
    await users.updateWithin(tx, actor, userId, {
      ...(username !== null && { username }),
      ...(email !== null && { email }),
      ...(display_name !== null && { display_name }),
      ...(status === 'inactive' && account?.deactivated === true && { status: 'active' }),
    });
    return { userId, problem: await link(tx, row, userId) };
  }

  async function deactivate(tx: Tx, actor: Acting, { id: userId, status }: UserRow) {
    if (status === 'active') {
      await users.updateWithin(tx, actor, userId, { status: 'inactive' });
      await rosters.markDeactivated(tx, userId, true);
    }
    return { userId, problem: null };
  }

  function effect(tx: Tx, roster: Roster, row: PendingRow, user: UserRow | undefined) {
    const actor = { id: roster.user_id, context: contextOf(roster) };
    if (user === undefined) return create(tx, roster, actor, row);
    return row.kind === 'missing' ? deactivate(tx, actor, user) : update(tx, actor, row, user);
  }

  async function setResult(
    tx: Tx,
    { id }: Roster,
    { row }: PendingRow,
    userId: number | null,
    problem: FieldError | null,
  ) {
    if (!(await rosterRows.setResult(tx, id, row, userId, problem))) throw new UnavailableError();
  }

  async function apply(roster: Roster, row: PendingRow): Promise<void> {
    const changesStatus = row.kind === 'missing' || row.changes.some(({ field }) => field === 'status');
    const changes = changesStatus && row.user_id !== null ? [row.user_id] : [];
    await store.transaction(withLockedUsers(contextOf(roster), changes), async (tx) => {
      // Users before rows, as the deletion of an account locks them.
      const user = row.user_id === null ? undefined : await lockOrdinary(tx, row.user_id, row.kind === 'missing');
      if (!(await rosterRows.claim(tx, roster.id, row.row))) return;
      const { userId, problem } = await effect(tx, roster, row, user);
      await setResult(tx, roster, row, userId, problem);
    });
  }

  /** The groups of the last roster: listing them takes long, and rows are written in many runs. */
  let named: { rosterId: number; names: readonly string[] } | undefined;

  /** Creates the groups of the roster that do not exist. Returns false if the time was over before the last one. */
  async function createGroups(roster: Roster, isOver: () => boolean): Promise<boolean> {
    if (named?.rosterId !== roster.id)
      named = { rosterId: roster.id, names: await difference.listGroupNames(store, roster.id) };
    for (const name of await groupRepository.listUnknown(store, named.names)) {
      if (isOver()) return false;
      const insert = store.transaction(contextOf(roster), async (tx) => {
        const id = await groupRepository.insert(tx, name);
        tx.record({ type: 'group.created', group: { id, name } });
      });
      await insert.catch((error: unknown) => {
        if (!(error instanceof ValidationError)) throw error; // somebody has just created it
      });
    }
    return true;
  }

  return {
    createGroups,

    /** Applies the next row, or notes why it cannot be. Returns false after the last one. */
    async applyNext(roster: Roster): Promise<boolean> {
      const row = await rosterRows.findPending(store, roster.id);
      if (row === undefined) return false;
      try {
        await apply(roster, row);
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        await store.transaction(contextOf(roster), async (tx) => {
          if (await rosterRows.claim(tx, roster.id, row.row)) await setResult(tx, roster, row, null, problem);
        });
      }
      return true;
    },
  };
}

export type RosterWriter = ReturnType<typeof createRosterWriter>;

/** Undefined for an error that does not concern the row alone. */
function problemOf(error: unknown): FieldError | undefined {
  if (!(error instanceof AppError) || ![400, 404, 409].includes(error.status)) return undefined;
  return error instanceof ValidationError ? error.details[0] : { field: 'username', message: error.text };
}
