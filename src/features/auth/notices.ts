import type { Transaction } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Locale, translate } from '../../messages/index.ts';
import type { EnqueueMail } from '../mail/mail-feature.ts';
import { createNoticeRepository } from './notice-repository.ts';

export type Notice = 'password_changed' | 'second_factor_enabled' | 'second_factor_disabled' | 'account_locked';

/** Tells the owner of an account by mail, if the transaction commits. */
export type Notify = (tx: Transaction, userId: number, notice: Notice) => Promise<void>;

type Options = { mail: { enabled: boolean; enqueueMail: EnqueueMail }; locale: Locale; clock: Clock };

/** Notices about the safety of an account, in the default language: nothing says which one its owner reads. */
export function createNotices({ mail, locale, clock }: Options): Notify {
  if (!mail.enabled) return async () => undefined;
  return async (tx, userId, notice) => {
    const notices = createNoticeRepository(tx);
    const now = clock();
    const recipient =
      notice === 'account_locked' ? await notices.claimLockNotice(userId, now) : await notices.findRecipient(userId);
    if (recipient === undefined) return;
    const params = { username: recipient.username, at: now.toISOString().slice(0, 19).replace('T', ' ') };
    const text = [
      translate({ key: `mail_${notice}_text`, params }, locale),
      translate({ key: 'mail_not_you' }, locale),
    ];
    const subject = translate({ key: `mail_${notice}` }, locale);
    await mail.enqueueMail(tx, { to: recipient.email, subject, text: `${text.join('\n\n')}\n` });
  };
}
