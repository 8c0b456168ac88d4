import type { Actor } from '../../../actor.ts';
import { ConfigError } from '../../../config/config.ts';
import { parsePart } from '../../../http/input.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type FieldError, ValidationError } from '../../../texts/errors.ts';
import { translate } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { IssuedLink } from '../account-links/account-link-service.ts';
import {
  createOneTimePassword,
  createPasswordHasher,
  type NewPassword,
  oneTimePasswordDays,
  type PasswordHasher,
} from '../passwords/password-hasher.ts';
import type { NewUser, UserRow } from './user-repository.ts';
import * as users from './user-repository.ts';
import { type CreateUserInput, createUserBody } from './user-schemas.ts';

/** An account to create, with its password already hashed: that must not happen within a transaction. */
export type NewAccount = {
  fields: NewUser;
  password: NewPassword;
  one_time_password?: string;
  contact_request_id: number | undefined;
  group_ids: readonly number[];
  invite: boolean;
};

/** An account, with its generated password or invitation link: both are returned only once. */
export type UserWithPassword = { user: UserRow; one_time_password?: string; invitation?: IssuedLink };

/** Hashes the given password or a generated one, which expires. */
export function createPreparePassword({ hasher, clock }: { hasher: PasswordHasher; clock: Clock }) {
  return async (actor: Actor, given: string | undefined) => {
    const chosen = given ?? createOneTimePassword();
    const hash = await hasher.enqueue(`user ${actor.id}`, () => hasher.hash(chosen));
    if (given !== undefined) return { password: { hash, expires_at: null } };
    const expires_at = new Date(clock().getTime() + oneTimePasswordDays * 86_400_000);
    return { password: { hash, expires_at }, one_time_password: chosen };
  };
}
export type PreparePassword = ReturnType<typeof createPreparePassword>;

/** `zone` is the time zone until one is chosen. */
export function newUser(
  given: Omit<
    CreateUserInput,
    'password' | 'contact_request_id' | 'invite' | 'group_ids' | 'admin_scope' | 'admin_group_ids'
  > &
    Partial<Pick<CreateUserInput, 'admin_scope' | 'admin_group_ids'>>,
  zone = 'UTC',
): NewUser {
  const { display_name = given.username, timezone = zone } = given;
  const { admin_scope = 'all', admin_group_ids = [] } = given;
  return {
    ...given,
    admin_scope,
    admin_group_ids,
    display_name,
    timezone,
    timezone_chosen: given.timezone !== undefined,
  };
}

export function takenErrors(taken: { username: boolean; email: boolean } | undefined): FieldError[] {
  return [
    ...(taken?.username === true ? [{ field: 'username', message: { key: 'username_taken' } } as const] : []),
    ...(taken?.email === true ? [{ field: 'email', message: { key: 'email_taken' } } as const] : []),
  ];
}

/** Throws ValidationError for names that another account has. */
export async function assertFree(
  db: Db,
  fields: Pick<UserRow, 'username' | 'email'>,
  exceptId?: number,
): Promise<void> {
  const errors = takenErrors(await users.findTaken(db, fields, exceptId));
  if (errors.length > 0) throw new ValidationError(errors);
}

/** Of the settings; without a password, an administrator is created with the set-up link. */
export type NewAdminInput = { username: string; email: string; password?: string | undefined };

function parse(input: NewAdminInput) {
  const parsed = parsePart(createUserBody, { ...input, role: 'admin' }, 'body');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  return parsed.value;
}

async function prepare(input: NewAdminInput & { password: string }) {
  const { password, contact_request_id: _, group_ids: __, ...fields } = parse(input);
  return { fields: newUser(fields), hash: await createPasswordHasher().hash(password ?? input.password) };
}

export async function insertAdmin(tx: Tx, { fields, hash }: { fields: NewUser; hash: string }): Promise<UserRow> {
  const taken = takenErrors(await users.findTaken(tx, fields));
  if (taken.length > 0) throw new ValidationError(taken);
  const admin = await users.insert(tx, fields, { hash, expires_at: null });
  tx.record({ type: 'user.created', users: [admin] });
  return admin;
}

export async function createAdmin(store: Db, input: NewAdminInput & { password: string }): Promise<UserRow> {
  const account = await prepare(input);
  return store.asService((tx) => insertAdmin(tx, account));
}

/** Whether an account could be created with these values. Throws ConfigError, which names the settings. */
export function assertFirstAdmin(input: NewAdminInput): void {
  try {
    parse(input);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const line = ({ field, message }: FieldError) => `ADMIN_${field.toUpperCase()}: ${translate(message, 'en')}`;
    throw new ConfigError(error.details.map(line));
  }
}

/**
 * Whether there is an administrator. Creates the one that the settings describe if there is none and they have a password; of several
 * processes that start together, only one does.
 */
export async function ensureFirstAdmin(store: Db, { password, ...input }: NewAdminInput): Promise<boolean> {
  if (await users.hasAdmin(store)) return true;
  if (password === undefined) return false;
  const account = await prepare({ ...input, password });
  return store.asService(async (tx) => {
    await users.lockFirstAdmin(tx);
    if (!(await users.hasAdmin(tx))) await insertAdmin(tx, account);
    return true;
  });
}
