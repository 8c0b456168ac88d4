import {
  type AppError,
  NotFoundError,
  PermissionDeniedError,
  UnauthorizedError,
  ValidationError,
} from '../../errors.ts';
import { email as emailField } from '../../http/fields.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Origin, SecurityLog } from '../../lib/log/security-log.ts';
import { digestOf } from '../../lib/secrets/random-token.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { replaceMemberships } from '../groups/group-service.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import { type SignInThrottle, userThrottleKey } from '../sign-in-throttle/sign-in-throttle.ts';
import type { Client, IssuedTokens, SignInService, TokenStorage } from '../sign-ins/sign-in-service.ts';
import { newUser } from '../users/first-admin.ts';
import { displayName } from '../users/user-schemas.ts';
import type { UserService } from '../users/user-service.ts';
import type { Identity, IdentityProvider } from './identity-provider.ts';

export const attemptSeconds = 600;

type Options = {
  store: Store;
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
type Return = { query: string; otp?: string };
type From = { client: Client; origin: Origin; storage: TokenStorage };

/** Sign-in through the OpenID Connect provider of the settings. */
export function createSingleSignOnService(options: Options) {
  const { store, provider, createsAccounts, signIns, users, throttle, secondFactor, securityLog, clock } = options;

  function required(): IdentityProvider {
    if (provider === undefined) throw new NotFoundError('sso_not_configured');
    return provider;
  }

  /** Links an identity that is not linked yet to the account with its e-mail address, or to a new one. */
  async function link(tx: TransactionStore, identity: Identity, origin: Origin): Promise<void> {
    const email = identity.email_verified ? usableEmail(identity.email) : undefined;
    if (email === undefined) throw new PermissionDeniedError('sso_email_unverified');
    const account = await tx.singleSignOn.findByEmail(email, identity.issuer);
    if (account?.is_linked) throw new PermissionDeniedError('sso_other_identity');
    if (account === undefined && !createsAccounts) throw new PermissionDeniedError('sso_no_account');
    const id = account?.id ?? (await create(tx, identity, email));
    await tx.singleSignOn.link(identity, id, clock());
    tx.afterCommit(() => securityLog.note('identity_linked', { id, origin }));
  }

  async function create(tx: TransactionStore, identity: Identity, email: string): Promise<number> {
    const username = await tx.singleSignOn.findFreeName(nameFor(identity, email));
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
    return (await users.createWithoutPassword(tx, fields)).id;
  }

  /** First sign-ins are serialised, so that no identity is linked twice and no account to two of them. */
  async function resolve(tx: TransactionStore, identity: Identity, origin: Origin) {
    const linked = await tx.singleSignOn.findLinked(identity);
    if (linked !== undefined) return linked;
    await tx.singleSignOn.lockLinking();
    if ((await tx.singleSignOn.findLinked(identity)) === undefined) await link(tx, identity, origin);
    return tx.singleSignOn.findLinked(identity);
  }

  /** Undefined for a wrong code. */
  async function enter(tx: TransactionStore, identity: Identity, otp: string | undefined, from: From) {
    const { client, origin, storage } = from;
    const account = await resolve(tx, identity, origin);
    if (account?.status !== 'active') throw new PermissionDeniedError('sso_inactive');
    const { id, group_ids } = account;
    const role = identity.is_admin === undefined ? account.role : identity.is_admin ? 'admin' : 'user';
    if (role !== account.role) await tx.accountLinks.lockRights(id); // before the row, as everywhere
    if (!(await secondFactor.check(tx, id, otp, { id, origin }))) return undefined;
    const issued = await signIns.start(tx, id, 'identity_provider', client, storage);
    if (issued === undefined) throw new PermissionDeniedError('sso_inactive');
    if (role !== account.role) await users.setOwnRole(tx, { id, origin }, role);
    if (identity.groups !== undefined && role === 'user') {
      const { ids } = await replaceMemberships(tx, id, identity.groups, group_ids);
      await tx.singleSignOn.setGroups(identity, ids);
    }
    tx.afterCommit(() => securityLog.note('sign_in', { id, origin }, { through: 'identity_provider' }));
    return issued;
  }

  /** A code is counted like one that follows a password. */
  async function signIn(identity: Identity, otp: string | undefined, from: From): Promise<IssuedTokens> {
    const work = (tx: TransactionStore) => enter(tx, identity, otp, from);
    const known = otp === undefined ? undefined : await store.singleSignOn.findLinked(identity);
    const account =
      known ?? (otp && identity.email && (await store.singleSignOn.findByEmail(identity.email, identity.issuer)));
    const issued = account
      ? await throttle.attempt({
          key: userThrottleKey(account.id, from.origin.address),
          verify: async () => true,
          accept: work,
        })
      : await store.transaction(work);
    if (issued === undefined) throw ValidationError.of('otp', 'wrong_otp').withSecurityEvent('sign_in_failed');
    return issued;
  }

  return {
    /** For administrators. Then another identity can be linked. */
    unlink: (actor: Actor, userId: number): Promise<void> =>
      store.transaction(async (tx) => {
        await tx.singleSignOn.lockLinking();
        if ((await tx.singleSignOn.unlink(userId)) === 0) return;
        tx.record({ type: 'user.identity_unlinked', user_id: userId });
        tx.afterCommit(() => securityLog.note('identity_unlinked', actor, { target_user: userId }));
      }, actor.context),

    /** Where to send the browser, and the state with which it comes back. Throws NotFoundError and UnavailableError. */
    async begin(): Promise<{ url: string; state: string }> {
      const { url, state, nonce, code_verifier } = await required().begin();
      const expires_at = new Date(clock().getTime() + attemptSeconds * 1000);
      await store.singleSignOn.insertAttempt(digestOf(state), { nonce, code_verifier, identity: null, expires_at });
      return { url, state };
    },

    /**
     * Signs in with the query that the provider has added to the return address. `state` is that of the browser. Each is accepted once,
     * except that a missing or wrong code can be repeated.
     */
    async finish({ query, otp }: Return, state: string | undefined, from: From): Promise<IssuedTokens> {
      const current = required();
      const expired = () => new UnauthorizedError('sso_expired').withSecurityEvent('sign_in_failed');
      if (state === undefined || new URLSearchParams(query).get('state') !== state) throw expired();
      const attempt = await store.singleSignOn.takeAttempt(digestOf(state), clock());
      if (attempt === undefined) throw expired();
      const { nonce, code_verifier, expires_at } = attempt;
      const identity = attempt.identity ?? (await current.identify(query, { state, nonce, code_verifier }));
      try {
        return await signIn(identity, otp, from);
      } catch (error) {
        if (isRepeatable(error))
          await store.singleSignOn.insertAttempt(digestOf(state), {
            ...{ nonce, code_verifier, identity, expires_at: new Date(expires_at) },
          });
        throw error;
      }
    },

    purgeExpired: () => store.singleSignOn.deleteExpiredAttempts(clock()),
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

/** Only ASCII: other characters may look the same, or become the same in lower case. */
function usableEmail(given: string | undefined): string | undefined {
  return given !== undefined && /^[\x21-\x7e]+$/.test(given) ? emailField.safeParse(given).data : undefined;
}

function nameFor({ username }: Identity, email: string): string {
  const wanted = (username ?? email)
    .replace(/@.*$/, '')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 32);
  return wanted.length < 3 || /^deleted-/i.test(wanted) ? `user-${wanted.slice(0, 20)}` : wanted;
}
