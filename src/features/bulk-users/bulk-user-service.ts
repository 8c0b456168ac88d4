import type { FieldError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { createOneTimePassword, oneTimePasswordDays } from '../passwords/one-time-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { TimeZones } from '../statistics/time-zones.ts';
import { newUser } from '../users/new-account.ts';
import type { CreateUsersInput } from './bulk-user-schemas.ts';

type Row = ReturnType<typeof newUser>;
/** A row of the request; without a hash if one of its names is taken. */
export type PreparedRow = { fields: Row; hash?: string; one_time_password?: string };

/** The result of a row: the account and its password, or why it was not created. */
export type CreatedRow = Row & { user_id: number | null; one_time_password?: string; errors: FieldError[] };

export type BulkUserServiceOptions = {
  store: Store;
  hasher: PasswordHasher;
  timeZones: Pick<TimeZones, 'require'>;
  securityLog: SecurityLog;
  clock: Clock;
};
export type BulkUserService = ReturnType<typeof createBulkUserService>;

export function createBulkUserService({ store, hasher, timeZones, securityLog, clock }: BulkUserServiceOptions) {
  return {
    /** Hashes the passwords one by one in the fair queue, except for rows whose names are taken. */
    async prepare(actor: Actor, { users }: CreateUsersInput): Promise<PreparedRow[]> {
      for (const [index, { timezone }] of users.entries())
        if (timezone !== undefined) await timeZones.require(timezone, `users[${index}].timezone`);
      const rows = users.map((user) => newUser(user, actor.timezone));
      const taken = await store.bulkUsers.findTaken(rows);
      const prepared: PreparedRow[] = [];
      for (const [index, fields] of rows.entries()) {
        const one_time_password = createOneTimePassword();
        const isTaken = taken[index]?.username === true || taken[index]?.email === true;
        const work = () => hasher.hash(one_time_password);
        prepared.push(
          isTaken ? { fields } : { fields, one_time_password, hash: await hasher.enqueue(`user ${actor.id}`, work) },
        );
      }
      return prepared;
    },

    create(requestStore: Store, actor: Actor, rows: readonly PreparedRow[]): Promise<CreatedRow[]> {
      return requestStore.transaction(async (tx) => {
        await tx.bulkUsers.lockNames();
        const hashed = rows.flatMap(({ fields, hash }) => (hash === undefined ? [] : [{ ...fields, hash }]));
        const expiresAt = new Date(clock().getTime() + oneTimePasswordDays * 86_400_000);
        const inserted = await tx.bulkUsers.insert(hashed, expiresAt);
        if (inserted.length > 0) tx.record({ type: 'user.created', users: inserted });
        const taken = await tx.bulkUsers.findTaken(rows.map(({ fields }) => fields));
        const created = new Map(inserted.map((user) => [`${user.username} ${user.email}`, user.id]));
        tx.afterCommit(() => {
          for (const { id } of inserted) securityLog.note('user_created', actor, { target_user: id });
        });
        return rows.map(({ fields, hash, one_time_password }, index): CreatedRow => {
          const names = `${fields.username} ${fields.email}`;
          const user_id = hash === undefined ? undefined : created.get(names);
          created.delete(names); // a duplicate row does not get this account
          if (user_id === undefined) return { ...fields, user_id: null, errors: takenErrors(taken[index]) };
          return { ...fields, user_id, errors: [], ...(one_time_password !== undefined && { one_time_password }) };
        });
      }, actor.act);
    },
  };
}

function takenErrors(taken: { username: boolean; email: boolean } | undefined): FieldError[] {
  return [
    ...(taken?.username === true ? [{ field: 'username', message: { key: 'username_taken' } } as const] : []),
    ...(taken?.email === true ? [{ field: 'email', message: { key: 'email_taken' } } as const] : []),
  ];
}
