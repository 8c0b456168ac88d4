import type { Clock } from '../../lib/clock.ts';
import type { IssuedLink } from '../account-links/account-link-service.ts';
import type { Actor } from '../auth/identity.ts';
import { createOneTimePassword, oneTimePasswordDays } from '../passwords/one-time-password.ts';
import type { NewPassword, PasswordHasher } from '../passwords/password-hasher.ts';
import type { NewUser, UserRow } from './user-repository.ts';
import type { CreateUserInput } from './user-schemas.ts';

/** An account to create, with its password already hashed: that must not happen within a transaction. */
export type NewAccount = {
  fields: NewUser;
  password: NewPassword;
  one_time_password?: string;
  contact_request_id: number | undefined;
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
  given: Omit<CreateUserInput, 'password' | 'contact_request_id' | 'invite'>,
  zone = 'UTC',
): NewUser {
  const { display_name = given.username, timezone = zone } = given;
  return { ...given, display_name, timezone, timezone_chosen: given.timezone !== undefined };
}
