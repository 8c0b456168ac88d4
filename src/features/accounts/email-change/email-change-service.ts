import { type Actor, withLockedUsers } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { InvalidTokenError, PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, RateLimitedError, ValidationError } from '../../../texts/errors.ts';
import { type Locale, type MessageKey, translate } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import * as credentials from '../sign-ins/passwords/credentials-repository.ts';
import { type SignInThrottle, userThrottleKey } from '../sign-ins/throttle/sign-in-throttle.ts';
import * as users from '../users/user-repository.ts';
import * as emailChanges from './email-change-repository.ts';

const hour = 3_600_000;
const validFor = 24 * hour;
/** Per user and hour: each sends a mail to an address of their choice. */
const policy = { name: 'email-changes', quota: 5, seconds: 3600 };

type Options = {
  store: Db;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  mail: MailOutbox;
  publicUrl: string;
  clock: Clock;
};
type EmailChange = { email: string | undefined; current_password: string | undefined };
type Requester = { address: string; locale: Locale };
export type EmailChangeService = ReturnType<typeof createEmailChangeService>;

export function createEmailChangeService({ store, hasher, throttle, mail, publicUrl, clock }: Options) {
  type Kind = 'email_confirmation' | 'email_in_use' | 'email_changed';
  function send(tx: Tx, kind: Kind, to: string, locale: Locale, params: Record<string, string>) {
    const text = (key: MessageKey) => translate({ key, params }, locale);
    return mail.enqueue(tx, { to, subject: text(`mail_${kind}_subject`), text: text(`mail_${kind}_text`) });
  }

  /** The response and the work do not depend on whether the address is free: only its owner is informed, by mail. */
  async function addChange(tx: Tx, actor: Actor, email: string, locale: Locale): Promise<string> {
    const now = clock();
    if ((await emailChanges.countSince(tx, actor.id, new Date(now.getTime() - hour))) >= policy.quota)
      throw new RateLimitedError(policy.seconds, 'too_many_email_changes', policy);
    const token = createRandomToken();
    const expires_at = new Date(now.getTime() + validFor);
    await emailChanges.replace(tx, {
      user_id: actor.id,
      email,
      token_hash: digestOf(token),
      created_at: now,
      expires_at,
    });
    const owner = await emailChanges.findOther(tx, email, actor.id);
    const kind = owner ? 'email_in_use' : 'email_confirmation';
    const link = `${publicUrl}/confirm-email?token=${token}`;
    await send(tx, kind, email, owner?.locale ?? locale, { username: actor.username, link });
    return email;
  }

  return {
    /**
     * Updates the account and, in the same transaction, starts a change to another address. Throws PermissionDeniedError,
     * ValidationError.
     */
    async request<User extends { locale: Locale | null }>(
      actor: Actor,
      { email, current_password }: EmailChange,
      { address, locale }: Requester,
      update: (db: Db) => Promise<User>,
    ): Promise<{ user: User; pending_email?: string }> {
      if (email === undefined) return { user: await update(store) };
      const account = await credentials.findById(store, actor.id);
      if (account === undefined) throw new InvalidTokenError('revoked');
      if (account.email.toLowerCase() === email.toLowerCase()) return { user: await update(store) };
      if (!mail.enabled) throw new PermissionDeniedError('email_by_administrator');
      if (current_password === undefined) throw ValidationError.of('current_password', 'required');
      const pending = await throttle.attempt({
        key: userThrottleKey(actor.id, address),
        verify: () => hasher.verify(account.password_hash, current_password),
        accept: async (tx) => {
          const user = await update(tx);
          return { user, pending_email: await addChange(tx, actor, email, user.locale ?? locale) };
        },
        writeContext: withLockedUsers(actor.context, [actor.id]), // as the update: a weaker lock first could deadlock
      });
      if (pending === undefined)
        throw ValidationError.of('current_password', 'wrong_password').withSecurityEvent(
          'password_check_failed',
          actor.id,
        );
      return pending;
    },

    confirm: (token: string, locale: Locale): Promise<void> =>
      store.asService(async (tx) => {
        const found = await emailChanges.findPending(tx, digestOf(token), clock());
        const before = found && (await users.lock(tx, found.user_id, false)).user;
        // Checked again under the lock: it may have been cancelled or used in the meantime.
        const change = before && (await emailChanges.findPending(tx, digestOf(token), clock()));
        if (before === undefined || change === undefined) throw ValidationError.of('token', 'invalid_email_token');
        if (await emailChanges.findOther(tx, change.email, change.user_id))
          throw new ConflictError('CONFLICT', 'email_not_free');
        const after = await users.update(tx, before, { ...before, email: change.email });
        tx.record({ type: 'user.updated', before, after });
        await send(tx, 'email_changed', before.email, before.locale ?? locale, { username: before.username });
      }),

    purgeExpired: () => emailChanges.deleteExpired(store, clock()),
  };
}
