import type { Actor } from '../../../actor.ts';
import type { DomainEvent } from '../../../events.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Origin, SecurityLog } from '../../../lib/log/security-log.ts';
import { digestOf } from '../../../lib/secrets/random-token.ts';
import { PermissionDeniedError, UnauthorizedError } from '../../../texts/access-errors.ts';
import { type AppError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { accountLinks } from '../account-links/account-link-repository.ts';
import { replaceMemberships } from '../groups/group-service.ts';
import { endPendingLinks } from '../passwords/pending-link-repository.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { Client, IssuedTokens, SignInService, TokenStorage } from '../sign-ins/sign-in-service.ts';
import { type SignInThrottle, userThrottleKey } from '../sign-ins/throttle/sign-in-throttle.ts';
import { newUser } from '../users/account-creation.ts';
import { displayName } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';
import { audited } from './audited-account.ts';
import { nameFor, usableEmail } from './identity-names.ts';
import type { Identity, IdentityProvider, Secrets } from './identity-provider.ts';
import * as singleSignOn from './single-sign-on-repository.ts';

export const attemptSeconds = 600;

type Options = {
  store: Db;
  /** Undefined if the settings name none. */
  provider: IdentityProvider | undefined;
  createsAccounts: boolean;
  signIns: SignInService;
  users: UserService;
  throttle: SignInThrottle;
  secondFactor: SecondFactorService;
  securityLog: SecurityLog;
  clock: Clock;
};
export type SingleSignOnService = ReturnType<typeof createSingleSignOnService>;
type Begun = Secrets & { url: string };
/** An attempt whose browser has come back. */
type Identified = {
  state: string;
  attempt: { nonce: string; code_verifier: string; identity: Identity; expires_at: Date };
};
type Account = NonNullable<Awaited<ReturnType<typeof singleSignOn.findLinked>>>;
type Found =
  | { account: Account; isLinked: boolean; email?: never }
  | { account: undefined; isLinked?: never; email: string };
type From = { client: Client; origin: Origin; storage: TokenStorage };

/** Sign-in through the OpenID Connect provider of the settings. */
export function createSingleSignOnService(options: Options) {
  const { store, provider, createsAccounts, signIns, users, throttle, secondFactor, securityLog, clock } = options;

  function required(): IdentityProvider {
    if (provider === undefined) throw new NotFoundError('sso_not_configured');
    return provider;
  }

  /** The account that is linked, or that is to be linked or created: writes nothing. First sign-ins wait for each other. */
  async function find(tx: Tx, identity: Identity): Promise<Found> {
    const linked = await singleSignOn.findLinked(tx, identity);
    if (linked !== undefined) return { account: linked, isLinked: true };
    await singleSignOn.lockLinking(tx);
    const linkedMeanwhile = await singleSignOn.findLinked(tx, identity);
    if (linkedMeanwhile !== undefined) return { account: linkedMeanwhile, isLinked: true };
    const email = identity.email_verified ? usableEmail(identity.email) : undefined;
    if (email === undefined) throw new PermissionDeniedError('sso_email_unverified');
    const account = await singleSignOn.findByEmail(tx, email, identity.issuer);
    if (account?.is_linked) throw new PermissionDeniedError('sso_other_identity');
    if (account !== undefined) return { account, isLinked: false };
    if (!createsAccounts) throw new PermissionDeniedError('sso_no_account');
    return { account: undefined, email };
  }

  async function create(tx: Tx, identity: Identity, email: string, origin: Origin): Promise<number> {
    const username = await singleSignOn.findFreeName(tx, nameFor(identity, email));
    if (username === undefined) throw ValidationError.of('username', 'username_taken');
    const name = displayName.safeParse([...(identity.display_name ?? '')].slice(0, 50).join(''));
    const role = identity.is_admin === true ? 'admin' : 'user';
    const fields = newUser({
      username,
      email,
      role,
      status: 'active',
      ...(name.success && { display_name: name.data }),
    });
    const events: DomainEvent[] = [];
    const recording: Tx = { ...tx, record: (...recorded) => void events.push(...recorded) };
    const { id } = await users.createWithoutPassword(recording, fields);
    audited(tx, id, origin).record(...events);
    return id;
  }

  async function link(tx: Tx, identity: Identity, id: number, origin: Origin): Promise<void> {
    await singleSignOn.link(tx, identity, id, clock());
    tx.afterCommit(() => securityLog.note('identity_linked', { id, origin }));
  }

  /** Undefined for a wrong code, before anything but its count is written. */
  async function enter(tx: Tx, identity: Identity, otp: string | undefined, from: From) {
    const { client, origin, storage } = from;
    const found = await find(tx, identity);
    const { account } = found;
    if (account !== undefined && account.status !== 'active') throw new PermissionDeniedError('sso_inactive');
    const former = account?.role ?? (identity.is_admin === true ? 'admin' : 'user');
    const role = identity.is_admin === undefined ? former : identity.is_admin ? 'admin' : 'user';
    // Somebody else knows a one-time password, or has a link that sets one.
    const endsPassword = account?.has_one_time_password === true;
    if (account !== undefined) {
      if (role !== former || endsPassword) await accountLinks.lockRights(tx, account.id); // before the row, as everywhere
      if (!(await secondFactor.check(tx, account.id, otp, { id: account.id, origin }))) return undefined;
    }
    const id = account?.id ?? (await create(tx, identity, found.email ?? '', origin));
    if (found.isLinked !== true) await link(tx, identity, id, origin);
    const issued = await signIns.start(tx, id, 'identity_provider', client, storage);
    if (issued === undefined) throw new PermissionDeniedError('sso_inactive');
    if (endsPassword) await signIns.endAll(tx, id, { except: issued.sign_in.sign_in_id });
    if (endsPassword || found.isLinked !== true) await endPendingLinks(tx, id);
    if (role !== former) await users.setOwnRole(audited(tx, id, origin), { id, origin }, role);
    if (identity.groups !== undefined && role === 'user') {
      const { ids } = await replaceMemberships(tx, id, identity.groups, account?.group_ids ?? []);
      await singleSignOn.setGroups(tx, identity, ids);
    }
    tx.afterCommit(() => securityLog.note('sign_in', { id, origin }, { through: 'identity_provider' }));
    return issued;
  }

  /** A code is counted like one that follows a password. */
  async function signIn(identity: Identity, otp: string | undefined, from: From): Promise<IssuedTokens> {
    const work = (tx: Tx) => enter(tx, identity, otp, from);
    const known = otp === undefined ? undefined : await singleSignOn.findLinked(store, identity);
    const account =
      known ?? (otp && identity.email && (await singleSignOn.findByEmail(store, identity.email, identity.issuer)));
    const issued = account
      ? await throttle.attempt({
          key: userThrottleKey(account.id, from.origin.address),
          verify: async () => true,
          accept: work,
        })
      : await store.asService(work);
    if (issued === undefined) throw ValidationError.of('otp', 'wrong_otp').withSecurityEvent('sign_in_failed');
    return issued;
  }

  return {
    /** For administrators. Then another identity can be linked. */
    unlink: (actor: Actor, userId: number): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        await singleSignOn.lockLinking(tx);
        if ((await singleSignOn.unlink(tx, userId)) === 0) return;
        tx.record({ type: 'user.identity_unlinked', user_id: userId });
        tx.afterCommit(() => securityLog.note('identity_unlinked', actor, { target_user: userId }));
      }),

    /** Asks the provider where to send the browser. Throws NotFoundError and UnavailableError. */
    begin: async (): Promise<Begun> => required().begin(),

    /** Keeps what the provider's answer is compared with. */
    async remember({ state, nonce, code_verifier }: Begun): Promise<void> {
      const expires_at = new Date(clock().getTime() + attemptSeconds * 1000);
      await singleSignOn.insertAttempt(store, digestOf(state), { nonce, code_verifier, identity: null, expires_at });
    },

    /**
     * Asks the provider who has come back with the query that it has added to the return address. `state` is that of the browser.
     * Each is accepted once, except that a missing or wrong code can be repeated.
     */
    async identify(query: string, state: string | undefined): Promise<Identified> {
      const current = required();
      const expired = () => new UnauthorizedError('sso_expired').withSecurityEvent('sign_in_failed');
      if (state === undefined || new URLSearchParams(query).get('state') !== state) throw expired();
      const attempt = await singleSignOn.takeAttempt(store, digestOf(state), clock());
      if (attempt === undefined) throw expired();
      const { nonce, code_verifier } = attempt;
      const identity = attempt.identity ?? (await current.identify(query, { state, nonce, code_verifier }));
      return { state, attempt: { ...attempt, identity, expires_at: new Date(attempt.expires_at) } };
    },

    async finish({ state, attempt }: Identified, otp: string | undefined, from: From): Promise<IssuedTokens> {
      try {
        return await signIn(attempt.identity, otp, from);
      } catch (error) {
        if (isRepeatable(error)) await singleSignOn.insertAttempt(store, digestOf(state), attempt);
        throw error;
      }
    },

    purgeExpired: () => singleSignOn.deleteExpiredAttempts(store, clock()),
  };
}

const repeatable: readonly AppError['code'][] = [
  'OTP_REQUIRED',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
];

const isRepeatable = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && repeatable.some((code) => code === error.code);
