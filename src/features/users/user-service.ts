import { changingRights, type Database, type Executor, type Transaction } from '../../db/database.ts';
import { ConflictError, type FieldError, NotFoundError, UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityLog } from '../../lib/security-log.ts';
import type { Actor } from '../auth/identity.ts';
import { assertWithoutName, oneTimePasswordDays } from '../auth/password-rules.ts';
import { createOneTimePassword, type NewPassword, type Passwords } from '../auth/passwords.ts';
import type { SignInService } from '../auth/sign-in-service.ts';
import type { SignInThrottle } from '../auth/sign-in-throttle.ts';
import type { ResolveContactRequest } from '../contact/contact-link.ts';
import { createUserRemovalRepository } from './user-removal-repository.ts';
import { createUserRepository, type UserFields } from './user-repository.ts';
import type { CreateUserInput, ListUsersQuery, ResetPasswordInput, User, UserPatch } from './user-schemas.ts';

type Options = {
  database: Database;
  passwords: Passwords;
  signIns: SignInService;
  throttle: SignInThrottle;
  clock: Clock;
  resolveContactRequest: ResolveContactRequest;
  securityLog: SecurityLog;
  /** Ends the timer of a user whose row and projects the caller holds. */
  stopTimerOfUser: (tx: Transaction, userId: number) => Promise<unknown>;
};
export type UserService = ReturnType<typeof createUserService>;

/** An account to be made: its password is hashed already, because that must not happen while a transaction waits. */
export type NewAccount = {
  fields: UserFields;
  password: NewPassword;
  one_time_password?: string;
  contact_request_id: number | undefined;
};

/** Accounts. Methods that take an id throw NotFoundError when nobody, or nobody any more, has it. */
export function createUserService(options: Options) {
  const { database, passwords, signIns, throttle, clock, resolveContactRequest, stopTimerOfUser, securityLog } =
    options;
  const users = createUserRepository(database);

  /** The given password, or one made here, which expires. */
  async function hashed(actor: Actor, given: string | undefined) {
    const chosen = given ?? createOneTimePassword();
    const hash = await passwords.inTurn(`user ${actor.id}`, () => passwords.hash(chosen));
    if (given !== undefined) return { password: { hash, expires_at: null } };
    const expires_at = new Date(clock().getTime() + oneTimePasswordDays * 86_400_000);
    return { password: { hash, expires_at }, one_time_password: chosen };
  }

  async function get(db: Executor, id: number): Promise<User> {
    const user = await createUserRepository(db).find(id);
    if (user === undefined) throw new NotFoundError('user_not_found');
    return user;
  }

  async function assertFree(db: Executor, fields: Pick<UserFields, 'username' | 'email'>, exceptId?: number) {
    const taken = await createUserRepository(db).findTaken(fields, exceptId);
    const errors: FieldError[] = [];
    if (taken.username) errors.push({ field: 'username', message: { key: 'username_taken' } });
    if (taken.email) errors.push({ field: 'email', message: { key: 'email_taken' } });
    if (errors.length > 0) throw new ValidationError(errors);
  }

  /** Locks a user that is about to change; `leaves` says whether an administrator would be one no longer. */
  async function lock(tx: Transaction, id: number, leaves: boolean): Promise<User> {
    const { user, otherAdmins } = await createUserRepository(tx).lock(id, leaves);
    if (user === undefined) throw new NotFoundError('user_not_found');
    const counts = user.role === 'admin' && user.status === 'active';
    if (leaves && counts && otherAdmins === 0) throw new ConflictError('LAST_ADMIN', 'last_admin');
    return user;
  }

  function noteRights(actor: Actor, before: User, after: User): void {
    const target_user = after.id;
    if (before.role !== after.role) securityLog.note('role_changed', actor, { target_user, role: after.role });
    if (before.status !== after.status)
      securityLog.note('status_changed', actor, { target_user, status: after.status });
  }

  function update(actor: Actor, id: number, patch: UserPatch): Promise<User> {
    return database.transaction(
      async (tx) => {
        const before = await lock(tx, id, patch.role === 'user' || patch.status === 'inactive');
        const fields: UserFields = { ...before, ...patch };
        if (!differs(before, fields)) return before;
        await assertFree(tx, fields, id);
        const after = await createUserRepository(tx).update(id, fields);
        // A reactivated user must sign in again.
        if (before.status === 'active' && after.status === 'inactive') await signIns.endAll(tx, id);
        if (before.role !== after.role || before.status !== after.status) tx.bumpListVersions([id]);
        tx.onCommit(() => noteRights(actor, before, after));
        return after;
      },
      changingRights(actor.act, [id]),
    );
  }

  return {
    list: (query: ListUsersQuery) => users.list(query),
    update,

    get: (id: number) => get(database, id),

    /** The caller's own account; gone between the look at the token and here, it is as if nobody had signed in. */
    async getOwn(actor: Pick<Actor, 'id'>): Promise<User> {
      const user = await users.find(actor.id);
      if (user === undefined) throw new UnauthorizedError('unauthorized');
      return user;
    },
    updateOwn: (actor: Actor, patch: Pick<UserPatch, 'display_name' | 'timezone'>): Promise<User> =>
      update(actor, actor.id, patch).catch((error: unknown) => {
        throw error instanceof NotFoundError ? new UnauthorizedError('unauthorized') : error;
      }),

    async prepare(actor: Actor, input: CreateUserInput): Promise<NewAccount> {
      const { password, display_name, contact_request_id, ...rest } = input;
      const fields = { ...rest, display_name: display_name ?? rest.username };
      return { fields, contact_request_id, ...(await hashed(actor, password)) };
    },
    /**
     * Creates a prepared account, and resolves the contact request that asked for it, if one is named; a password that
     * was chosen here is returned this once.
     */
    create(db: Executor, actor: Actor, { fields, password, contact_request_id, ...shown }: NewAccount) {
      return db.transaction(async (tx) => {
        await assertFree(tx, fields);
        const user = await createUserRepository(tx).insert(fields, password);
        if (contact_request_id !== undefined)
          await resolveContactRequest(tx, {
            id: contact_request_id,
            subject: 'account_registration',
            user_id: user.id,
          });
        tx.onCommit(() => securityLog.note('user_created', actor, { target_user: user.id, role: user.role }));
        return { ...user, ...shown };
      }, actor.act);
    },

    /**
     * Sets a new password, ends every sign-in, and resolves the contact request that asked for it, if one is named. A
     * password that was chosen here is returned this once.
     */
    async resetPassword(actor: Actor, id: number, { password: given, contact_request_id }: ResetPasswordInput) {
      if (given !== undefined) assertWithoutName('password', given, await get(database, id));
      const { password, ...shown } = await hashed(actor, given);
      return database.transaction(
        async (tx) => {
          if (!(await signIns.setPassword(tx, id, password))) throw new NotFoundError('user_not_found');
          await throttle.forgive(tx, id);
          tx.onCommit(() => securityLog.note('password_reset', actor, { target_user: id }));
          if (contact_request_id !== undefined)
            await resolveContactRequest(tx, { id: contact_request_id, subject: 'password_reset', user_id: id });
          return { ...(await get(tx, id)), ...shown };
        },
        changingRights(actor.act, [id]),
      );
    },

    /**
     * Deletes an account: assignments and sign-ins go, a running timer ends, records and owned projects stay with an
     * anonymous row.
     */
    remove(actor: Actor, id: number): Promise<void> {
      return database.transaction(
        async (tx) => {
          await lock(tx, id, true);
          const removal = createUserRemovalRepository(tx);
          await removal.lockProjects(id);
          await stopTimerOfUser(tx, id);
          tx.bumpListVersions([id, ...(await removal.unassign(id))]);
          await signIns.erase(tx, id);
          await throttle.erase(tx, id);
          await removal.anonymise(id);
          tx.onCommit(() => securityLog.note('user_deleted', actor, { target_user: id }));
        },
        changingRights(actor.act, [id]),
      );
    },
  };
}

function differs(before: UserFields, after: UserFields): boolean {
  const fields = ['username', 'email', 'display_name', 'role', 'status', 'timezone'] as const;
  return fields.some((field) => before[field] !== after[field]);
}
