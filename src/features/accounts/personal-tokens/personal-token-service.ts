import { LRUCache } from 'lru-cache';
import { type Actor, isAdministrator, toScopes, type VerifiedToken, withLockedUsers } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import * as personalTokens from './personal-token-repository.ts';

/** Lets people and secret scanners recognise a token. */
const prefix = 'studytrack_';

const tokenLength = prefix.length + 43;

const createPersonalToken = () => `${prefix}${createRandomToken()}`;

/**
 * Finds the owner of a token. What is cached for a minute never changes; whether the token is still valid is read on
 * every request, as for sign-ins.
 */
export function createPersonalTokenReader({ store, clock }: { store: Db; clock: Clock }) {
  const cache = new LRUCache<string, VerifiedToken>({ max: 10_000, ttl: 60_000 });
  const current = (subject: VerifiedToken | undefined) =>
    subject !== undefined && subject.expires > clock().getTime() ? subject : undefined;

  return {
    isPersonal: (token: string): boolean => token.startsWith(prefix) && token.length === tokenLength,

    /** Does not use the database; undefined also for a token that was not read recently. */
    known: (token: string): VerifiedToken | undefined => current(cache.get(token)),

    async read(token: string): Promise<VerifiedToken | undefined> {
      const row = await personalTokens.use(store, digestOf(token), clock());
      if (row === undefined) return undefined;
      const { user_id, sign_in_id, expires_at } = row;
      const subject = { user_id, sign_in_id, scopes: toScopes(row.scopes), expires: Date.parse(expires_at) };
      cache.set(token, subject);
      return subject;
    },
  };
}

const day = 86_400_000;
const maxLifetime = 366 * day;
/** Active tokens and those created within a day: each creation sends a mail. */
const maximum = 50;

type Options = { store: Db; securityLog: SecurityLog; notify: Notify; clock: Clock };
type NewToken = { name: string; scopes: readonly string[]; expires_at: Date };
type Client = { address: string; device: string };
export type PersonalTokenService = ReturnType<typeof createPersonalTokenService>;

export function createPersonalTokenService({ store, securityLog, notify, clock }: Options) {
  function assertAllowed(actor: Actor, { scopes, expires_at }: NewToken, now: Date): void {
    const admin = scopes.indexOf('admin');
    if (admin >= 0 && !isAdministrator(actor)) throw ValidationError.of(`scopes[${admin}]`, 'scope_of_administrators');
    const left = expires_at.getTime() - now.getTime();
    if (left <= 0 || left > maxLifetime) throw ValidationError.of('expires_at', 'token_expiry');
  }

  return {
    list: (userId: number) => personalTokens.listActive(store, userId, clock()),

    /** Returns the token, of which only a digest is stored. */
    async create(db: Db, actor: Actor, { name, scopes, expires_at }: NewToken, client: Client) {
      const now = clock();
      assertAllowed(actor, { name, scopes, expires_at }, now);
      const token = createPersonalToken();
      return db.transaction(actor.context, async (tx) => {
        const { afterCommit } = tx;
        await personalTokens.lockOwner(tx, actor.id);
        if ((await personalTokens.countRecent(tx, actor.id, now, new Date(now.getTime() - day))) >= maximum)
          throw new ConflictError('CONFLICT', 'too_many_tokens', { maximum });
        const token_hash = digestOf(token);
        const unique = [...new Set(scopes)];
        const fields = { user_id: actor.id, name, scopes: unique, token_hash, created_at: now, expires_at, client };
        const row = await personalTokens.insert(tx, fields);
        tx.record({ type: 'token.created', token: { ...row, user_id: actor.id } });
        await notify(tx, actor.id, 'personal_token_created');
        afterCommit(() =>
          securityLog.note('personal_token_created', actor, { token: row.id, scopes: unique.join(' ') }),
        );
        return { row, token };
      });
    },

    revoke: (actor: Actor, id: number): Promise<void> =>
      store.transaction(withLockedUsers(actor.context, [actor.id]), async (tx) => {
        const tokens = await personalTokens.revoke(tx, id, actor.id, clock());
        if (tokens.length === 0) throw new NotFoundError('token_not_found');
        tx.record({ type: 'token.revoked', tokens });
        tx.afterCommit(() => securityLog.note('personal_token_revoked', actor, { token: id }));
      }),
  };
}
