import type { Clock } from '../../lib/clock.ts';
import { type Locale, translate } from '../../messages/index.ts';
import type { TransactionStore } from '../../store.ts';
import type { MailOutbox } from '../mail/mail-feature.ts';

export type Notice =
  | 'password_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'personal_token_created'
  | 'calendar_address_created'
  | 'personal_export_ready'
  | 'account_deleted'
  | 'account_locked';

export type Notify = (tx: TransactionStore, userId: number, notice: Notice) => Promise<void>;

type Options = { mail: MailOutbox; locale: Locale; clock: Clock };

export function createAccountNotices({ mail, locale, clock }: Options): Notify {
  if (!mail.enabled) return async () => undefined;
  return async (tx, userId, notice) => {
    const now = clock();
    const recipient =
      notice === 'account_locked'
        ? await tx.accountNotices.claimLockNotice(userId, now)
        : await tx.accountNotices.findRecipient(userId);
    if (recipient === undefined) return;
    const language = recipient.locale ?? locale;
    const params = { username: recipient.username, at: now.toISOString().slice(0, 19).replace('T', ' ') };
    const notYou = notice === 'account_deleted' ? 'mail_not_you_deleted' : 'mail_not_you';
    const text = [translate({ key: `mail_${notice}_text`, params }, language), translate({ key: notYou }, language)];
    const subject = translate({ key: `mail_${notice}` }, language);
    await mail.enqueue(tx, { to: recipient.email, subject, text: `${text.join('\n\n')}\n` });
  };
}
