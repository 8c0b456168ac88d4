import { NotFoundError, PreconditionFailedError, UnauthorizedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { AccountLinkService } from '../account-links/account-link-service.ts';
import type { Awards } from '../achievements/award-kind.ts';
import { type Actor, withLockedUsers } from '../auth/identity.ts';
import type { ResolveContactRequest } from '../inbox/inbox-service.ts';
import type { AccountPatch } from '../own-account/own-account-schemas.ts';
import { assertWithoutName } from '../passwords/password-schemas.ts';
import type { PasswordService } from '../passwords/password-service.ts';
import type { SignInThrottle } from '../sign-in-throttle/sign-in-throttle.ts';
import type { TimeZones } from '../statistics/time-zones.ts';
import { type NewAccount, newUser, type PreparePassword, takenErrors, type UserWithPassword } from './first-admin.ts';
import type { NewUser, UserFields, UserRow } from './user-repository.ts';
import { createEndAccess, type EndAccessOptions, lockUser } from './user-rights.ts';
import type { CreateUserInput, ListUsersQuery, ResetPasswordInput, UserPatch } from './user-schemas.ts';

type Options = EndAccessOptions & {
  store: Store;
  preparePassword: PreparePassword;
  passwords: PasswordService;
  links: Pick<AccountLinkService, 'invite'>;
  throttle: SignInThrottle;
  resolveContactRequest: ResolveContactRequest;
  timeZones: Pick<TimeZones, 'require'>;
  securityLog: SecurityLog;
  awards: Awards;
  clock: Clock;
};
export type UserService = ReturnType<typeof createUserService>;

/** Methods with an id throw NotFoundError if the account does not exist or was deleted. */
export function createUserService(options: Options) {
  const { store, preparePassword, passwords, links, throttle, securityLog, timeZones } = options;
  const { resolveContactRequest, awards, clock } = options;
  const endAccess = createEndAccess(options);

  async function get({ users }: Store, id: number): Promise<UserRow> {
    const user = await users.find(id);
    if (user === undefined) throw new NotFoundError('user_not_found');
    return user;
  }

  async function assertFree({ users }: Store, fields: Pick<UserFields, 'username' | 'email'>, exceptId?: number) {
    const errors = takenErrors(await users.findTaken(fields, exceptId));
    if (errors.length > 0) throw new ValidationError(errors);
  }

  function logRights(actor: Acting, before: UserRow, after: UserRow): void {
    const { id: target_user, role, status } = after;
    if (before.role !== role) securityLog.note('role_changed', actor, { target_user, role });
    if (before.status !== status) securityLog.note('status_changed', actor, { target_user, status });
  }

  /** Nobody, if a job does it. */
  type Acting = Partial<Pick<Actor, 'id' | 'origin' | 'context'>>;
  type Patch = UserPatch & AccountPatch & Partial<UserFields>;
  async function update(actor: Actor, id: number, patch: Patch, expectedVersion?: number): Promise<UserRow> {
    if (patch.timezone !== undefined) await timeZones.require(patch.timezone, 'timezone');
    return save(store, actor, id, patch, expectedVersion);
  }

  function save(db: Store, actor: Acting, id: number, patch: Patch, expectedVersion?: number): Promise<UserRow> {
    return db.transaction(
      async (tx) => {
        const before = await lockUser(tx, id, patch.role === 'user' || patch.status === 'inactive');
        if (expectedVersion !== undefined && expectedVersion !== before.row_version)
          throw new PreconditionFailedError();
        const fields: UserFields = { ...before, ...patch };
        if (fields.timezone !== before.timezone) fields.timezone_chosen = true;
        if (!differs(before, fields)) return before;
        await assertFree(tx, fields, id);
        const after = await tx.users.update(before, fields);
        await endAccess(tx, before, after);
        if (before.status !== 'active' && after.status === 'active') await tx.users.noteActivation(id, clock());
        if (differs(before, after, calendar)) await awards.enqueue(tx, { user_id: id, project_ids: [] });
        tx.record({ type: 'user.updated', before, after });
        tx.afterCommit(() => logRights(actor, before, after));
        return after;
      },
      patch.role === undefined && patch.status === undefined ? actor.context : withLockedUsers(actor.context, [id]),
    );
  }

  return {
    list: (query: ListUsersQuery) => store.users.list(query),
    update,
    get: (id: number) => get(store, id),
    /** Of a user who has just signed in; the rights of the user are locked. Throws ConflictError for the last administrator. */
    setOwnRole: (tx: TransactionStore, source: Pick<Actor, 'id' | 'origin'>, role: UserRow['role']) =>
      save(tx, source, source.id, { role }),
    /** As `update`, in the caller's transaction. */
    updateWithin: (tx: TransactionStore, actor: Acting, id: number, patch: Omit<UserPatch, 'timezone'>) =>
      save(tx, actor, id, patch),

    /** An account without a password. Throws ValidationError for names that are taken. */
    async createWithoutPassword(tx: TransactionStore, fields: NewUser): Promise<UserRow> {
      await assertFree(tx, fields);
      const user = await tx.users.insert(fields, { hash: null, expires_at: null });
      tx.record({ type: 'user.created', users: [user] });
      return user;
    },

    /** Throws UnauthorizedError if the account was deleted since the token was checked. */
    async getOwn(id: number): Promise<UserRow> {
      const user = await store.users.find(id);
      if (user === undefined) throw new UnauthorizedError('unauthorized');
      return user;
    },
    /** Returns the update, for a transaction. A submitted time zone counts as chosen: only the user can confirm it. */
    async prepareOwnUpdate(actor: Actor, patch: AccountPatch): Promise<(db: Store) => Promise<UserRow>> {
      if (patch.timezone !== undefined) await timeZones.require(patch.timezone, 'timezone');
      const chosen = patch.timezone !== undefined && { timezone_chosen: true };
      return (db) =>
        save(db, actor, actor.id, { ...patch, ...chosen }).catch((error: unknown) => {
          throw error instanceof NotFoundError ? new UnauthorizedError('unauthorized') : error;
        });
    },

    async prepare(actor: Actor, input: CreateUserInput): Promise<NewAccount> {
      const { password, contact_request_id, invite = false, ...rest } = input;
      if (rest.timezone !== undefined) await timeZones.require(rest.timezone, 'timezone');
      const account = { fields: newUser(rest, actor.timezone), contact_request_id, invite };
      if (invite) return { ...account, password: { hash: null, expires_at: null } };
      return { ...account, ...(await preparePassword(actor, password)) };
    },
    create(db: Store, actor: Actor, { fields, password, contact_request_id, invite, ...chosen }: NewAccount) {
      return db.transaction(async (tx): Promise<UserWithPassword> => {
        await assertFree(tx, fields);
        const user = await tx.users.insert(fields, password);
        tx.record({ type: 'user.created', users: [user] });
        if (contact_request_id !== undefined) {
          const subject = 'account_registration';
          await resolveContactRequest(tx, { id: contact_request_id, subject, user_id: user.id, handled_by: actor.id });
        }
        tx.afterCommit(() => securityLog.note('user_created', actor, { target_user: user.id, role: user.role }));
        return { user, ...chosen, ...(invite && { invitation: await links.invite(tx, actor, user) }) };
      }, actor.context);
    },

    /** Sets a new password, ends all sign-ins, and resolves the given contact request. */
    async resetPassword(actor: Actor, id: number, { password: given, contact_request_id }: ResetPasswordInput) {
      if (given !== undefined) assertWithoutName('password', given, await get(store, id));
      const { password, ...chosen } = await preparePassword(actor, given);
      return store.transaction(
        async (tx): Promise<UserWithPassword> => {
          if (!(await passwords.reset(tx, id, password))) throw new NotFoundError('user_not_found');
          await throttle.resetFailures(tx, id);
          tx.afterCommit(() => securityLog.note('password_reset', actor, { target_user: id }));
          if (contact_request_id !== undefined) {
            const subject = 'password_reset';
            await resolveContactRequest(tx, { id: contact_request_id, subject, user_id: id, handled_by: actor.id });
          }
          return { user: await get(tx, id), ...chosen };
        },
        withLockedUsers(actor.context, [id]),
      );
    },
  };
}

type Fields = readonly (keyof UserFields)[];

/** What may make streaks of existing records longer. */
const calendar: Fields = ['timezone', 'day_start_hour', 'rest_weekdays'];

function differs(before: UserFields, after: UserFields, fields = Object.keys(after) as Fields): boolean {
  return fields.some((field) => String(before[field]) !== String(after[field]));
}
