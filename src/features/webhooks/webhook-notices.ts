import type { Locale } from '../../messages/index.ts';
import { translate } from '../../messages/index.ts';
import type { TransactionStore } from '../../store.ts';
import type { MailOutbox } from '../mail/mail-outbox.ts';

type Notice = 'mail_webhook_off' | 'mail_webhook_full';
type Options = { mail: MailOutbox; locale: Locale; ownUrl: string };

/** Mails the administrators about a webhook, with the change that it tells of. */
export function createNotify({ mail, locale, ownUrl }: Options) {
  return async (tx: TransactionStore, notice: Notice, url: string): Promise<void> => {
    if (!mail.enabled) return;
    for (const { email, locale: own } of await tx.webhooks.listAdministrators()) {
      const language = own ?? locale;
      const params = { url, page: `${ownUrl}/admin/webhooks` };
      const subject = translate({ key: notice }, language);
      const text = translate({ key: `${notice}_text`, params }, language);
      await mail.enqueue(tx, { to: email, subject, text: `${text}\n` }, 'notices');
    }
  };
}

export type NotifyAdministrators = ReturnType<typeof createNotify>;
