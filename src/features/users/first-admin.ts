import { ConfigError } from '../../config.ts';
import { type FieldError, ValidationError } from '../../errors.ts';
import { parsePart } from '../../http/input.ts';
import { translate } from '../../messages/index.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createOneTimePassword } from '../passwords/one-time-password.ts';
import { createPasswordHasher } from '../passwords/password-hasher.ts';
import { newUser } from './new-account.ts';
import type { UserRow } from './user-repository.ts';
import { createUserBody } from './user-schemas.ts';

/** Without a password, one is generated. */
export type NewAdminInput = { username: string; email: string; password?: string | undefined };

function parse(input: NewAdminInput) {
  const parsed = parsePart(createUserBody, { ...input, role: 'admin' }, 'body');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  return parsed.value;
}

async function prepare(input: NewAdminInput) {
  const { password: given, contact_request_id: _, ...fields } = parse(input);
  const password = given ?? createOneTimePassword();
  return {
    fields: newUser(fields),
    password,
    hash: await createPasswordHasher().hash(password),
  };
}

async function insert(
  { users, record }: TransactionStore,
  { fields, hash }: Awaited<ReturnType<typeof prepare>>,
): Promise<UserRow> {
  const taken = await users.findTaken(fields);
  if (taken.username) throw ValidationError.of('username', 'username_taken');
  if (taken.email) throw ValidationError.of('email', 'email_taken');
  const admin = await users.insert(fields, { hash, expires_at: null });
  record({ type: 'user.created', users: [admin] });
  return admin;
}

export async function createAdmin(store: Store, input: NewAdminInput & { password: string }): Promise<UserRow> {
  const account = await prepare(input);
  return store.transaction((tx) => insert(tx, account));
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
 * Creates the first administrator if there is none; of several processes starting together, only one does. Returns
 * the password if it was generated, otherwise null. Throws ValidationError.
 *
 * A generated password is passed to `savePassword` before the commit: an account whose password is lost would also
 * keep the next start from creating one. If the commit fails, the next start overwrites what was saved. It is not a
 * one-time password: the operator uses it immediately.
 */
export async function ensureFirstAdmin(
  store: Store,
  input: NewAdminInput,
  savePassword: (password: string) => Promise<void>,
): Promise<string | null> {
  if (await store.users.hasAdmin()) return null;
  const account = await prepare(input);
  return store.transaction(async (tx) => {
    await tx.users.lockFirstAdmin();
    if (await tx.users.hasAdmin()) return null;
    await insert(tx, account);
    if (input.password !== undefined) return null;
    await savePassword(account.password);
    return account.password;
  });
}
