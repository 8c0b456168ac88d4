import { type Actor, withLockedUsers } from '../../../actor.ts';
import type { TimeZones } from '../../../db/time-zones.ts';
import type { ZoneNames } from '../../../http/time-fields.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { InvalidTokenError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { NotFoundError, PreconditionFailedError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { AccountLinkService } from '../account-links/account-link-service.ts';
import {
  checkedScope,
  requireAccount,
  requireEditable,
  requireMayGrant,
  requireNewMembers,
  requireNoRequest,
  scopedFilter,
} from '../admin-scope/admin-scope.ts';
import { joinGroups } from '../groups/group-service.ts';
import { assertWithoutName } from '../passwords/password-schemas.ts';
import type { PasswordService } from '../sign-ins/passwords/password-service.ts';
import type { SignInThrottle } from '../sign-ins/throttle/sign-in-throttle.ts';
import {
  assertFree,
  type NewAccount,
  newUser,
  type PreparePassword,
  type UserWithPassword,
} from './account-creation.ts';
import type { AccountHooks } from './leaving.ts';
import type { EndAccessOptions } from './user-changes.ts';
import * as userChanges from './user-changes.ts';
import { list as listUsers } from './user-list-read-model.ts';
import type { NewUser, UserFields, UserRow } from './user-repository.ts';
import * as users from './user-repository.ts';
import type { CreateUserInput, ListUsersQuery, ResetPasswordInput, UserPatch } from './user-schemas.ts';

type Options = EndAccessOptions &
  AccountHooks & {
    store: Db;
    preparePassword: PreparePassword;
    passwords: PasswordService;
    links: Pick<AccountLinkService, 'invite'>;
    throttle: SignInThrottle;
    timeZones: Pick<TimeZones, 'require'>;
    securityLog: SecurityLog;
    clock: Clock;
  };
export type UserService = ReturnType<typeof createUserService>;

/** Methods with an id throw NotFoundError if the account does not exist or was deleted. */
export function createUserService(options: Options) {
  const { store, preparePassword, passwords, links, throttle, securityLog, timeZones } = options;
  const { resolveContactRequest, recomputeAwards, clock } = options;
  const endAccess = userChanges.createEndAccess(options);

  async function get(db: Db, id: number): Promise<UserRow> {
    const user = await users.find(db, id);
    if (user === undefined) throw new NotFoundError('user_not_found');
    return user;
  }

  function logRights(actor: Acting, before: UserRow, after: UserRow): void {
    const { id: target_user, role, status } = after;
    if (before.role !== role) securityLog.note('role_changed', actor, { target_user, role });
    if (before.status !== status) securityLog.note('status_changed', actor, { target_user, status });
  }

  /** Nobody, if a job does it. */
  type Acting = Partial<Pick<Actor, 'id' | 'origin' | 'context'>>;
  type Patch = UserPatch & Partial<UserFields>;
  /** Of one's own account: its profile and preferences. */
  type OwnPatch = Omit<Patch, 'username' | 'email' | 'role' | 'status' | 'admin_scope' | 'admin_group_ids'>;
  async function update(actor: Actor, id: number, patch: Patch, expectedVersion?: number): Promise<UserRow> {
    await userChanges.requireZones(timeZones, patch);
    if (id === actor.id && actor.role === 'admin' && patch.admin_scope === 'groups')
      throw new PermissionDeniedError('own_scope');
    const check = async (tx: Tx, before: UserRow) => {
      await requireEditable(tx, actor, before.id);
      await requireMayGrant(actor, before, patch);
    };
    return save(store, actor, id, patch, { expectedVersion, check });
  }

  type Checks = { expectedVersion?: number | undefined; check?: (tx: Tx, before: UserRow) => Promise<void> };
  function save(db: Db, actor: Acting, id: number, patch: Patch, { expectedVersion, check }: Checks = {}) {
    return db.transaction(
      userChanges.changesRights(patch) ? withLockedUsers(actor.context, [id]) : actor.context,
      async (tx): Promise<UserRow> => {
        const before = await userChanges.lockUser(tx, id, userChanges.losesWholeSchool(patch));
        await check?.(tx, before);
        if (expectedVersion !== undefined && expectedVersion !== before.row_version)
          throw new PreconditionFailedError();
        const { time_zone, ...own } = patch;
        const timezone = userChanges.changedTimeZone(before.timezone, { timezone: own.timezone, time_zone });
        const patched: UserFields = { ...before, ...own, timezone };
        const fields = userChanges.changesRights(patch)
          ? { ...patched, ...(await checkedScope(tx, patched, patch)) }
          : patched;
        if (fields.timezone !== before.timezone) fields.timezone_chosen = true;
        if (!userChanges.differs(before, fields)) return before;
        await assertFree(tx, fields, id);
        const after = await users.update(tx, before, fields);
        await endAccess(tx, before, after);
        if (before.status !== 'active' && after.status === 'active') await users.noteActivation(tx, id, clock());
        if (userChanges.differs(before, after, userChanges.calendar)) await recomputeAwards(tx, id);
        tx.record({ type: 'user.updated', before, after });
        tx.afterCommit(() => logRights(actor, before, after));
        return after;
      },
    );
  }

  return {
    list: async (actor: Actor, query: ListUsersQuery) => listUsers(store, await scopedFilter(store, actor, query)),
    update,
    /** Throws OutOfScopeError for a user whom a limited administrator does not see. */
    async get(actor: Actor, id: number): Promise<UserRow> {
      const user = await get(store, id);
      await requireAccount(store, actor, id);
      return user;
    },
    /** Of a user who has just signed in; the rights of the user are locked. Throws ConflictError for the last administrator. */
    setOwnRole: (tx: Tx, source: Pick<Actor, 'id' | 'origin'>, role: UserRow['role']) =>
      save(tx, source, source.id, { role }),
    /** As `update`, in the caller's transaction. */
    updateWithin: (tx: Tx, actor: Acting, id: number, patch: Omit<UserPatch, keyof ZoneNames>) =>
      save(tx, actor, id, patch),

    /** An account without a password. Throws ValidationError for names that are taken. */
    async createWithoutPassword(tx: Tx, fields: NewUser): Promise<UserRow> {
      await assertFree(tx, fields);
      const user = await users.insert(tx, fields, { hash: null, expires_at: null });
      tx.record({ type: 'user.created', users: [user] });
      return user;
    },

    /** Throws InvalidTokenError if the account was deleted since the token was checked. */
    async getOwn(id: number): Promise<UserRow> {
      const user = await users.find(store, id);
      if (user === undefined) throw new InvalidTokenError('revoked');
      return user;
    },
    listWholeSchoolAdmins: () => users.listWholeSchoolAdmins(store),
    /** Returns the update, for a transaction. A submitted time zone counts as chosen: only the user can confirm it. */
    async prepareOwnUpdate(actor: Actor, patch: OwnPatch): Promise<(db: Db) => Promise<UserRow>> {
      await userChanges.requireZones(timeZones, patch);
      const chosen = (patch.timezone ?? patch.time_zone) !== undefined && { timezone_chosen: true };
      return (db) =>
        save(db, actor, actor.id, { ...patch, ...chosen }).catch((error: unknown) => {
          throw error instanceof NotFoundError ? new InvalidTokenError('revoked') : error;
        });
    },

    async prepare(actor: Actor, input: CreateUserInput): Promise<NewAccount> {
      const { password, contact_request_id, group_ids, invite = false, ...rest } = input;
      if (rest.timezone !== undefined) await timeZones.require(rest.timezone, 'timezone');
      const account = { fields: newUser(rest, actor.timezone), contact_request_id, group_ids, invite };
      if (invite) return { ...account, password: { hash: null, expires_at: null } };
      return { ...account, ...(await preparePassword(actor, password)) };
    },
    create(db: Db, actor: Actor, { password, contact_request_id, group_ids, invite, ...account }: NewAccount) {
      const { fields: given, ...chosen } = account;
      return db.transaction(actor.context, async (tx): Promise<UserWithPassword> => {
        await requireNewMembers(tx, actor, [given], group_ids);
        requireNoRequest(actor, contact_request_id);
        const fields = { ...given, ...(await checkedScope(tx, given, given)) };
        await assertFree(tx, fields);
        const user = await users.insert(tx, fields, password);
        tx.record({ type: 'user.created', users: [user] });
        await joinGroups(tx, group_ids, [user.id]);
        if (contact_request_id !== undefined) {
          const subject = 'account_registration';
          await resolveContactRequest(tx, { id: contact_request_id, subject, user_id: user.id, handled_by: actor.id });
        }
        tx.afterCommit(() => securityLog.note('user_created', actor, { target_user: user.id, role: user.role }));
        return { user, ...chosen, ...(invite && { invitation: await links.invite(tx, actor, user) }) };
      });
    },

    /** Sets a new password, ends all sign-ins, and resolves the given contact request. */
    async resetPassword(actor: Actor, id: number, { password: given, contact_request_id }: ResetPasswordInput) {
      if (given !== undefined) assertWithoutName('password', given, await get(store, id));
      const { password, ...chosen } = await preparePassword(actor, given);
      return store.transaction(withLockedUsers(actor.context, [id]), async (tx): Promise<UserWithPassword> => {
        requireNoRequest(actor, contact_request_id);
        await userChanges.lockUser(tx, id, false);
        await requireEditable(tx, actor, id);
        if (!(await passwords.reset(tx, id, password))) throw new NotFoundError('user_not_found');
        await throttle.resetFailures(tx, id);
        tx.afterCommit(() => securityLog.note('password_reset', actor, { target_user: id }));
        if (contact_request_id !== undefined) {
          const subject = 'password_reset';
          await resolveContactRequest(tx, { id: contact_request_id, subject, user_id: id, handled_by: actor.id });
        }
        return { user: await get(tx, id), ...chosen };
      });
    },
  };
}
