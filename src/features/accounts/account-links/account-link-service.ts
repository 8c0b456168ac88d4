import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Origin, SecurityLog, Source } from '../../../lib/log/security-log.ts';
import { normaliseAddress } from '../../../lib/network/address.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, RateLimitedError, ValidationError } from '../../../texts/errors.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import { requireEditable } from '../admin-scope/admin-scope.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { assertWithoutName } from '../passwords/password-schemas.ts';
import type { PasswordService } from '../sign-ins/passwords/password-service.ts';
import type { LinkedAccount, LinkPurpose } from './account-link-repository.ts';
import { accountLinks, resetRequests } from './account-link-repository.ts';

const hour = 3_600_000;
const day = 24 * hour;
const validHours: Readonly<Record<LinkPurpose, number>> = { invitation: 72, password_reset: 1 };
/** Mails per account and day. Unauthenticated requests do not use up the administrators' quota. */
const quotas = { unauthenticated: 3, administrator: 10 };
const policy = { name: 'account-links', quota: quotas.administrator, seconds: day / 1000 };

/** The owner waits for a link that they asked for; an administrator may make many at once. */
const queueOf = (purpose: LinkPurpose, actor?: Source) =>
  purpose === 'password_reset' || actor === undefined ? '' : 'invitations';

/** `link` is set only without a mail server. */
export type IssuedLink = { link_mailed: boolean; link_expires_at: string; link?: string };
type Recipient = Pick<LinkedAccount, 'id' | 'username' | 'email' | 'locale'>;

type Options = {
  store: Db;
  hasher: PasswordHasher;
  passwords: PasswordService;
  mail: MailOutbox;
  publicUrl: string;
  locale: Locale;
  securityLog: SecurityLog;
  clock: Clock;
};
export type AccountLinkService = ReturnType<typeof createAccountLinkService>;

/** Single-use links with which account owners set their password. */
export function createAccountLinkService(options: Options) {
  const { store, hasher, passwords, mail, publicUrl, locale: defaultLocale, securityLog, clock } = options;
  const invalid = () => ValidationError.of('token', 'invalid_account_link');

  /** Replaces the account's link for this purpose and mails the new one. The account must be locked or new. */
  async function issue(tx: Tx, account: Recipient, purpose: LinkPurpose, actor?: Source, locale?: Locale) {
    const created_at = clock();
    const hours = validHours[purpose];
    const expires_at = new Date(created_at.getTime() + hours * hour);
    const token = createRandomToken();
    const by_administrator = actor !== undefined;
    const fields = { user_id: account.id, purpose, by_administrator, created_at, expires_at };
    await accountLinks.replace(tx, { ...fields, token_hash: digestOf(token) });
    tx.record({ type: 'link.created', user_id: account.id, purpose });
    // In the fragment, which browsers send to no server, not even in a Referer header.
    const link = `${publicUrl}/accept#token=${token}&for=${purpose}`;
    const language = account.locale ?? locale ?? defaultLocale;
    const params = { username: account.username, link, hours };
    const subject = translate({ key: `mail_${purpose}_subject` }, language);
    const asked = purpose === 'password_reset' && by_administrator ? (`${purpose}_by_administrator` as const) : purpose;
    const text = translate({ key: `mail_${asked}_text`, params }, language);
    await mail.enqueue(tx, { to: account.email, subject, text }, queueOf(purpose, actor), actor?.id);
    tx.afterCommit(() => securityLog.note('account_link_created', actor ?? {}, { target_user: account.id, purpose }));
    const issued: IssuedLink = { link_mailed: mail.enabled, link_expires_at: expires_at.toISOString() };
    return mail.enabled ? issued : { ...issued, link };
  }

  const countLastDay = (tx: Tx, id: number, byAdministrator: boolean) =>
    accountLinks.countSince(tx, id, byAdministrator, new Date(clock().getTime() - day));

  return {
    /** For an account that this transaction creates. */
    invite: (tx: Tx, actor: Source, account: Recipient): Promise<IssuedLink> => issue(tx, account, 'invitation', actor),

    /** Throws NotFoundError, RateLimitedError, and ConflictError for an account that this purpose excludes. */
    send: (actor: Actor, userId: number, purpose: LinkPurpose): Promise<IssuedLink> =>
      store.transaction(actor.context, async (tx) => {
        const account = await accountLinks.lockAccount(tx, userId);
        if (account === undefined) throw new NotFoundError('user_not_found');
        await requireEditable(tx, actor, userId);
        if (account.status !== 'active') throw new ConflictError('CONFLICT', 'link_for_inactive');
        if (purpose === 'invitation' && account.last_login_at !== null)
          throw new ConflictError('CONFLICT', 'invitation_for_known');
        if ((await countLastDay(tx, userId, true)) >= quotas.administrator)
          throw new RateLimitedError(policy.seconds, 'too_many_account_links', policy);
        return issue(tx, account, purpose, actor);
      }),

    /** For unauthenticated callers. Does nothing if no active account has this address. */
    async mailReset(tx: Tx, email: string, locale: Locale): Promise<void> {
      const account = mail.enabled ? await accountLinks.lockAccountByEmail(tx, email) : undefined;
      if (account === undefined || (await countLastDay(tx, account.id, false)) >= quotas.unauthenticated) return;
      await issue(tx, account, 'password_reset', undefined, locale);
    },

    /**
     * Sets the account's password, ends its sign-ins, cancels all its links and returns its username. Failed sign-ins
     * and the second factor are unchanged: access to the mailbox does not prove possession of the device. Throws
     * ValidationError.
     */
    async accept(token: string, password: string, origin: Origin): Promise<{ username: string }> {
      const found = await accountLinks.findPending(store, digestOf(token), clock());
      if (found === undefined) throw invalid();
      assertWithoutName('password', password, found);
      const work = () => hasher.hash(password);
      const next = {
        hash: await hasher.enqueue(`address ${normaliseAddress(origin.address)}`, work),
        expires_at: null,
      };
      return store.asService(async (tx) => {
        await accountLinks.lockRights(tx, found.user_id); // ends the sign-ins
        await accountLinks.lockAccount(tx, found.user_id);
        // Checked again under the lock: it may have been used, replaced or cancelled in the meantime.
        const link = await accountLinks.findPending(tx, digestOf(token), clock());
        if (link === undefined) throw invalid();
        await passwords.reset(tx, link.user_id, next);
        const { purpose, user_id: id, username } = link;
        tx.afterCommit(() => securityLog.note('password_set_by_link', { id, origin }, { purpose }));
        return { username };
      });
    },

    purgeExpired: () => accountLinks.deleteExpired(store, clock(), new Date(clock().getTime() - day)),
  };
}

const maxPerRun = 100;
/** Older requests, such as those from before an outage, are dropped: nobody waits for their mail any more. */
const maximumAge = 3_600_000;

/** Counts a request; returns the error if it exceeds the limit. */
export type ResetLimit = {
  admit(tx: Tx, sender: { email: string; address: string }): Promise<RateLimitedError | undefined>;
};

type ResetRequestOptions = {
  /** False if all users sign in through the identity provider. */
  isEnabled: boolean;
  store: Db;
  limit: ResetLimit;
  links: AccountLinkService;
  clock: Clock;
};
export type ResetRequests = ReturnType<typeof createResetRequests>;

/**
 * Unauthenticated requests for a reset link are only counted and stored, which takes the same time for every address;
 * a job looks up the account. Neither the response nor its timing reveals which accounts exist.
 */
export function createResetRequests({ store, limit, links, isEnabled, clock }: ResetRequestOptions) {
  async function processNext(): Promise<boolean> {
    return store.asService(async (tx) => {
      const request = await resetRequests.takeNext(tx);
      if (request === undefined) return false;
      const age = clock().getTime() - Date.parse(request.requested_at);
      if (age < maximumAge) await links.mailReset(tx, request.email, request.locale);
      return true;
    });
  }

  return {
    /** Returns the error if there were too many; does not reveal whether an account has the address. */
    async add(email: string, address: string, locale: Locale): Promise<RateLimitedError | undefined> {
      // The same for every address: it says nothing about accounts.
      if (!isEnabled) throw new PermissionDeniedError('password_sign_in_off');
      return store.asService(async (tx) => {
        const sender = { email: email.toLowerCase(), address: normaliseAddress(address) };
        const rejection = await limit.admit(tx, sender);
        if (rejection === undefined) await resetRequests.insert(tx, sender.email, locale, clock());
        return rejection;
      });
    },

    async processAll(): Promise<void> {
      for (let done = 0; done < maxPerRun; done += 1) if (!(await processNext())) return;
    },
  };
}
