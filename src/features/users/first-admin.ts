import type { Database, Executor } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import { parsePart } from '../../http/input.ts';
import { createOneTimePassword, createPasswords } from '../auth/passwords.ts';
import { createUserRepository } from './user-repository.ts';
import { createUserBody, type User } from './user-schemas.ts';

/** The account as the operator wishes it; without a password one is made. */
export type NewAdminInput = { username: string; email: string; password?: string | undefined };

async function prepare(wish: NewAdminInput) {
  const parsed = parsePart(createUserBody, { ...wish, role: 'admin' }, 'body');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  const { password: given, ...fields } = parsed.value;
  const password = given ?? createOneTimePassword();
  return {
    fields: { ...fields, display_name: fields.username },
    password,
    hash: await createPasswords().hash(password),
  };
}

async function insert(db: Executor, { fields, hash }: Awaited<ReturnType<typeof prepare>>): Promise<User> {
  const users = createUserRepository(db);
  const taken = await users.findTaken(fields);
  if (taken.username) throw ValidationError.of('username', 'username_taken');
  if (taken.email) throw ValidationError.of('email', 'email_taken');
  return users.insert(fields, { hash, expires_at: null });
}

/** Makes an administrator, for the operator. Throws ValidationError. */
export async function createAdmin(db: Executor, wish: NewAdminInput & { password: string }): Promise<User> {
  return insert(db, await prepare(wish));
}

export async function hasAdmin(db: Executor): Promise<boolean> {
  return createUserRepository(db).hasAdmin();
}

/**
 * Makes the first administrator, only while there is none; of processes that start together, one does. Answers the
 * password if it was made here, otherwise null. Throws ValidationError.
 *
 * A password made here is given to `keep` before the account is committed: nobody else ever gets to know it, and an
 * account that nobody can use would also keep the next start from making one. What was kept for an account that then
 * did not come to be is replaced by the next start. It is no one-time password: the operator uses it at once.
 */
export async function ensureFirstAdmin(
  db: Database,
  wish: NewAdminInput,
  keep: (password: string) => Promise<void>,
): Promise<string | null> {
  if (await createUserRepository(db).hasAdmin()) return null;
  const account = await prepare(wish);
  return db.transaction(async (tx) => {
    const users = createUserRepository(tx);
    await users.lockFirstAdmin();
    if (await users.hasAdmin()) return null;
    await insert(tx, account);
    if (wish.password !== undefined) return null;
    await keep(account.password);
    return account.password;
  });
}
