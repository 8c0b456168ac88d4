import { createHmac, type KeyObject } from 'node:crypto';
import { type Actor, withLockedUsers } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Origin, SecurityLog } from '../../../lib/log/security-log.ts';
import { deriveKeys } from '../../../lib/secrets/encryption.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { UnauthorizedError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import * as endedSignIns from './ended-sign-in-repository.ts';
import { type RevokedSignIn, tokenOf } from './ended-sign-in-repository.ts';
import type { Carrier, Client, IssuedSignIn, Proof, TokenStorage } from './sign-in-repository.ts';
import * as signIns from './sign-in-repository.ts';
import type { Tokens } from './tokens.ts';

const refreshTokenDays = 30;
/** A sign-in ends this many days after it started, however often it is refreshed. */
const signInDays = 90;

type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * Opaque tokens of 256 bits, of which the database stores only the SHA-256. The successor is derived from the used
 * token and a secret of the service: a client that repeats a request gets the same successor, from any process,
 * although it is not stored.
 */
export function createRefreshTokens(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, 'refresh token');
  const successor = (token: string, key: KeyObject) => createHmac('sha256', key).update(token).digest('base64url');

  return {
    create: createRandomToken,
    successor: (token: string): string => successor(token, keys[0]),
    /** Also those that were derived before the current secret replaced a former one. */
    possibleSuccessors: (token: string): string[] => keys.map((key) => successor(token, key)),
    hash: digestOf,
  };
}

export type { Client, TokenStorage };

/** Two tabs may refresh at the same time: during these seconds, a reused refresh token does not count as stolen. */
const concurrentSeconds = 30;
/**
 * During these seconds, a used refresh token returns the same successor, unless that has been used. Longer for
 * cookies, which are safer from theft: a browser that lost a response or was suspended may repeat the request hours
 * later.
 */
const graceSeconds: Readonly<Record<Carrier, number>> = { client: concurrentSeconds, cookie: 86_400 };
const day = 86_400_000;

/** `expires_in` is in seconds. */
type TokenPair = { token: string; token_type: 'Bearer'; expires_in: number; refresh_token: string };
export type IssuedTokens = { pair: TokenPair; sign_in: IssuedSignIn };

type Options = {
  store: Db;
  tokens: Tokens;
  refreshTokens: RefreshTokens;
  securityLog: SecurityLog;
  clock: Clock;
};
export type SignInService = ReturnType<typeof createSignInService>;

function recordTokens({ record }: Tx, revoked: readonly RevokedSignIn[]): void {
  const tokens = revoked.flatMap((row) => tokenOf(row) ?? []);
  if (tokens.length > 0) record({ type: 'token.revoked', tokens });
}

/** Each sign-in is a family of refresh tokens, with short-lived access tokens. */
export function createSignInService({ store, tokens, refreshTokens, securityLog, clock }: Options) {
  const periodFrom = (now: Date) => ({ now, expires: new Date(now.getTime() + refreshTokenDays * day) });

  /** No access token outlives its sign-in. */
  function issue(sign_in: IssuedSignIn, refresh_token: string): IssuedTokens {
    const until = Date.parse(sign_in.expires_at);
    const left = Math.max(0, Math.floor((until - clock().getTime()) / 1000));
    const expires_in = Math.min(tokens.accessSeconds, left);
    return { pair: { token: tokens.sign(sign_in, until), token_type: 'Bearer', expires_in, refresh_token }, sign_in };
  }

  /** For a used token. Late reuse means that it was stolen: by this client, or from it. */
  async function reuse(token: string, carrier: Carrier, now: Date): Promise<IssuedTokens> {
    const successors = refreshTokens.possibleSuccessors(token);
    const hashes = { used: refreshTokens.hash(token), successors: successors.map(refreshTokens.hash) };
    const rejected = await signIns.findRejectedToken(store, hashes, carrier, now);
    if (rejected?.used_at != null) {
      const seconds = (now.getTime() - Date.parse(rejected.used_at)) / 1000;
      const { unused_successor: unused } = rejected;
      const successor = successors.find((_, index) => unused !== null && hashes.successors[index]?.equals(unused));
      if (seconds <= graceSeconds[carrier] && rejected.is_active && successor !== undefined)
        return issue(rejected, successor);
      if (seconds > concurrentSeconds) {
        await endedSignIns.revoke(store, rejected.sign_in_id, now);
        throw new UnauthorizedError('invalid_refresh_token').withSecurityEvent(
          'refresh_token_reused',
          rejected.user_id,
        );
      }
    }
    throw new UnauthorizedError('invalid_refresh_token');
  }

  function end(actor: Pick<Actor, 'id' | 'origin' | 'context'>, id: string): Promise<void> {
    return store.transaction(withLockedUsers(actor.context, [actor.id]), async (tx) => {
      const revoked = await endedSignIns.revokeOwn(tx, id, actor.id, clock());
      if (revoked.length === 0) throw new NotFoundError('sign_in_not_found');
      recordTokens(tx, revoked);
      tx.afterCommit(() => securityLog.note('sign_in_ended', actor, { sign_in: id }));
    });
  }

  return {
    /** Undefined if the password is no longer current, or the account no longer active. */
    async start(
      tx: Tx,
      userId: number,
      proof: Proof,
      client: Client,
      storage: TokenStorage,
    ): Promise<IssuedTokens | undefined> {
      const refreshToken = refreshTokens.create();
      const hash = refreshTokens.hash(refreshToken);
      const signIn = await signIns.insert(tx, userId, proof, hash, periodFrom(clock()), client, storage);
      return signIn && issue(signIn, refreshToken);
    },

    async refresh(token: string, client: Client, carrier: Carrier): Promise<IssuedTokens> {
      const now = clock();
      const successor = refreshTokens.successor(token);
      const hashes = { used: refreshTokens.hash(token), successor: refreshTokens.hash(successor) };
      const signIn = await signIns.rotate(store, hashes, carrier, periodFrom(now), signInDays * 86_400, client);
      return signIn === undefined ? reuse(token, carrier, now) : issue(signIn, successor);
    },

    list: (userId: number) => signIns.listActive(store, userId, clock()),

    end,

    /** Ends the sign-in of a cookie's token, used or not; does nothing without one. */
    async endByToken(token: string, action: string, origin: Origin): Promise<void> {
      const found = await signIns.findByCookieToken(store, refreshTokens.hash(token), clock());
      if (found === undefined) return;
      const { user_id: id, sign_in_id, role } = found;
      const context = { actor_id: id, sign_in_id, role, action, request_id: origin.request_id };
      await end({ id, origin, context }, sign_in_id).catch((error: unknown) => {
        const isEnded = error instanceof NotFoundError || error instanceof UnauthorizedError;
        if (!isEnded) throw error; // otherwise it has already ended
      });
    },

    /** Ends the actor's other sign-ins, whatever their number; not their personal tokens. `current`: also this one. */
    endListed: (actor: Actor, { current }: { current: boolean }): Promise<void> =>
      store.transaction(withLockedUsers(actor.context, [actor.id]), async (tx) => {
        await endedSignIns.endListed(tx, actor.id, current ? undefined : actor.sign_in_id);
        tx.afterCommit(() => securityLog.note('sign_in_ended', actor, { sign_in: current ? 'all' : 'all others' }));
      }),

    /** With the personal tokens. */
    async endAll(tx: Tx, userId: number, { except }: { except?: string } = {}): Promise<void> {
      recordTokens(tx, await endedSignIns.endOfUser(tx, userId, clock(), except));
    },

    erase: (tx: Tx, userId: number) => endedSignIns.deleteOfUser(tx, userId),

    purgeExpired: () => endedSignIns.deleteExpired(store, clock()),
  };
}
