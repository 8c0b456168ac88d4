import type { Clock } from '../../../lib/clock.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import * as accountNotices from './account-notice-repository.ts';

type Notice =
  | 'password_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'personal_token_created'
  | 'calendar_address_created'
  | 'personal_export_ready'
  | 'account_deleted'
  | 'account_locked';

export type Notify = (tx: Tx, userId: number, notice: Notice) => Promise<void>;

/** Of one kind: more contain nothing new, and would delay the mails of others. */
const maxPerDay = 5;

type Options = { mail: MailOutbox; locale: Locale; clock: Clock };

export function createAccountNotices({ mail, locale, clock }: Options): Notify {
  if (!mail.enabled) return async () => undefined;
  return async (tx, userId, notice) => {
    const now = clock();
    const maximum = notice === 'account_locked' ? 1 : maxPerDay;
    const recipient = await accountNotices.claim(tx, { userId, notice, maximum, now });
    if (recipient === undefined) return;
    const language = recipient.locale ?? locale;
    const params = { username: recipient.username, at: now.toISOString().slice(0, 19).replace('T', ' ') };
    const notYou = notice === 'account_deleted' ? 'mail_not_you_deleted' : 'mail_not_you';
    const isLast = maximum > 1 && recipient.number === maximum;
    const keys = [`mail_${notice}_text`, notYou, ...(isLast ? (['mail_last_of_day'] as const) : [])] as const;
    const text = keys.map((key) => translate({ key, params }, language));
    const subject = translate({ key: `mail_${notice}` }, language);
    await mail.enqueue(tx, { to: recipient.email, subject, text: `${text.join('\n\n')}\n` }, 'notices');
  };
}
