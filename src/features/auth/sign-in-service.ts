import type { Database, Executor, Transaction } from '../../db/database.ts';
import { UnauthorizedError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notify } from './notices.ts';
import type { NewPassword } from './passwords.ts';
import { type RefreshTokens, refreshTokenDays, signInDays } from './refresh-tokens.ts';
import { type Client, type Credentials, createSignInRepository, type Rotation } from './sign-in-repository.ts';
import type { Tokens } from './tokens.ts';

/** For so long, until its successor is used, a used refresh token is answered like the first time: two tabs may refresh at once. */
const graceSeconds = 30;
const day = 86_400_000;

/** What a client signs its requests with, and what it gets the next ones for. `expires_in` in seconds. */
export type TokenPair = { token: string; token_type: 'Bearer'; expires_in: number; refresh_token: string };

type Options = { database: Database; tokens: Tokens; refreshTokens: RefreshTokens; clock: Clock; notify?: Notify };
export type SignInService = ReturnType<typeof createSignInService>;

/** The life of sign-ins: a family of refresh tokens each, and as many access tokens as are asked for meanwhile. */
export function createSignInService({ database, tokens, refreshTokens, clock, notify }: Options) {
  const signIns = createSignInRepository(database);
  const periodFrom = (now: Date) => ({ now, expires: new Date(now.getTime() + refreshTokenDays * day) });

  /** No access token outlives its sign-in. */
  function pair(of: Rotation, refresh_token: string): TokenPair {
    const until = Date.parse(of.expires_at);
    const left = Math.max(0, Math.floor((until - clock().getTime()) / 1000));
    const expires_in = Math.min(tokens.accessSeconds, left);
    return { token: tokens.sign(of, until), token_type: 'Bearer', expires_in, refresh_token };
  }

  /** The answer to a token that was used before; one that comes back late is in a thief's hands, or was. */
  async function replay(token: string, successor: string, now: Date): Promise<Rotation> {
    const spent = await signIns.findSpent(refreshTokens.hash(token), refreshTokens.hash(successor), now);
    if (spent?.used_at != null) {
      const late = now.getTime() - Date.parse(spent.used_at) > graceSeconds * 1000;
      if (!late && spent.alive && spent.has_unused_successor) return spent;
      if (late) {
        await signIns.revoke(spent.sign_in_id, now);
        throw new UnauthorizedError('invalid_refresh_token').noted('refresh_token_reused', spent.user_id);
      }
    }
    throw new UnauthorizedError('invalid_refresh_token');
  }

  return {
    /** Signs an account in whose password was verified; undefined when it changed since. */
    async start(tx: Transaction, account: Credentials, from: Client): Promise<TokenPair | undefined> {
      const refreshToken = refreshTokens.create();
      const hash = refreshTokens.hash(refreshToken);
      const signIn = await createSignInRepository(tx).insert(account, hash, periodFrom(clock()), from);
      return signIn && pair(signIn, refreshToken);
    },

    /** Exchanges a refresh token for the next one. Throws UnauthorizedError, and ends the sign-in of a late reuse. */
    async refresh(token: string, from: Client): Promise<TokenPair & { user_id: number }> {
      const now = clock();
      const successor = refreshTokens.successor(token);
      const hashes = { used: refreshTokens.hash(token), successor: refreshTokens.hash(successor) };
      const of =
        (await signIns.rotate(hashes, periodFrom(now), signInDays * 86_400, from)) ??
        (await replay(token, successor, now));
      return { ...pair(of, successor), user_id: of.user_id };
    },

    /** Ends all sign-ins of a user. */
    endAll: (tx: Transaction, userId: number): Promise<void> =>
      createSignInRepository(tx).revokeOfUser(userId, null, clock()),

    /**
     * Sets a password and ends the sign-ins made with the old one, but for the one it is changed from. With `verified`,
     * the hash of the old one, only while that is still in force; answers whether it was set.
     */
    async setPassword(
      tx: Transaction,
      userId: number,
      next: NewPassword,
      from?: { id: string; verified: string | null },
    ) {
      const repository = createSignInRepository(tx);
      const set = await repository.setPassword(userId, next, from?.verified ?? null, clock());
      if (!set) return false;
      await repository.revokeOfUser(userId, from?.id ?? null, clock());
      await notify?.(tx, userId, 'password_changed');
      return true;
    },

    /** Removes all traces of a user's sign-ins. */
    erase: (db: Executor, userId: number): Promise<void> => createSignInRepository(db).deleteOfUser(userId),

    /** Removes what has expired; for the periodic housekeeping. */
    sweep: (): Promise<void> => signIns.deleteExpired(clock()),
  };
}
