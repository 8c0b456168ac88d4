import { createHash, randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../db/database.ts';
import {
  ConflictError,
  PermissionDeniedError,
  RateLimitedError,
  UnauthorizedError,
  ValidationError,
} from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Locale, type MessageKey, translate } from '../../messages/index.ts';
import type { EnqueueMail } from '../mail/mail-feature.ts';
import { createEmailChangeRepository } from './email-change-repository.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './passwords.ts';
import { createSignInRepository } from './sign-in-repository.ts';
import { type SignInThrottle, userAt } from './sign-in-throttle.ts';

const hour = 3_600_000;
const validFor = 24 * hour;
/** Per user and hour: each sends a mail to an address of their choice. */
const mostPerHour = { name: 'email-changes', quota: 5, seconds: 3600 };

type Options = {
  database: Database;
  passwords: Passwords;
  throttle: SignInThrottle;
  mail: { enabled: boolean; enqueueMail: EnqueueMail };
  /** Where people reach the service, without a slash at the end. */
  publicUrl: string;
  clock: Clock;
};
type EmailChange = { email: string; current_password: string | undefined };
type Asking = { address: string; locale: Locale };
export type EmailChangeService = ReturnType<typeof createEmailChangeService>;

/** A new e-mail address of one's own account: asked for with the password, made when the link mailed to it is opened. */
export function createEmailChangeService({ database, passwords, throttle, mail, publicUrl, clock }: Options) {
  const accounts = createSignInRepository(database);
  const hash = (token: string) => createHash('sha256').update(token).digest();

  type Kind = 'email_confirmation' | 'email_in_use' | 'email_changed';
  function send(tx: Transaction, kind: Kind, to: string, locale: Locale, params: Record<string, string>) {
    const say = (key: MessageKey) => translate({ key, params }, locale);
    return mail.enqueueMail(tx, { to, subject: say(`mail_${kind}_subject`), text: say(`mail_${kind}_text`) });
  }

  /** Takes as long, and is as silent, whether the address is free or not: only its owner learns it, by mail. */
  async function record(tx: Transaction, actor: Actor, email: string, locale: Locale): Promise<string> {
    const changes = createEmailChangeRepository(tx);
    const now = clock();
    if ((await changes.countSince(actor.id, new Date(now.getTime() - hour))) >= mostPerHour.quota)
      throw new RateLimitedError(mostPerHour.seconds, 'too_many_email_changes', mostPerHour);
    const token = randomBytes(32).toString('base64url');
    await changes.replace(actor.id, email, hash(token), now, new Date(now.getTime() + validFor));
    const kind = (await changes.isTaken(email, actor.id)) ? 'email_in_use' : 'email_confirmation';
    const link = `${publicUrl}/confirm-email?token=${token}`;
    await send(tx, kind, email, locale, { username: actor.username, link });
    return email;
  }

  return {
    /**
     * Starts a change; returns the pending address, or undefined when it is the present one. Throws PermissionDeniedError
     * without a mail server, ValidationError for a missing or wrong password.
     */
    async request(actor: Actor, { email, current_password }: EmailChange, { address, locale }: Asking) {
      const account = await accounts.findById(actor.id);
      if (account === undefined) throw new UnauthorizedError('unauthorized');
      if (account.email.toLowerCase() === email.toLowerCase()) return undefined;
      if (!mail.enabled) throw new PermissionDeniedError('email_by_administrator');
      if (current_password === undefined) throw ValidationError.of('current_password', 'required');
      const pending = await throttle.attempt(
        userAt(actor.id, address),
        () => passwords.verify(account.password_hash, current_password),
        (tx) => record(tx, actor, email, locale),
        actor.act,
      );
      if (pending === undefined)
        throw ValidationError.of('current_password', 'wrong_password').noted('password_check_failed', actor.id);
      return pending;
    },

    /** Makes the change that a mailed token stands for. Throws ValidationError, or ConflictError when it is too late. */
    confirm: (token: string, locale: Locale): Promise<void> =>
      database.transaction(async (tx) => {
        const changes = createEmailChangeRepository(tx);
        const found = await changes.findPending(hash(token), clock());
        const account = found && (await changes.lockAccount(found.user_id));
        // Again under the lock: it may have been cancelled or used meanwhile.
        const change = account && (await changes.findPending(hash(token), clock()));
        if (account === undefined || change === undefined) throw ValidationError.of('token', 'invalid_email_token');
        if (await changes.isTaken(change.email, change.user_id)) throw new ConflictError('CONFLICT', 'email_not_free');
        await changes.setEmail(change.user_id, change.email);
        await send(tx, 'email_changed', account.email, locale, { username: account.username });
      }),

    /** Removes what has expired; for the periodic housekeeping. */
    sweep: (): Promise<void> => createEmailChangeRepository(database).deleteExpired(clock()),
  };
}
