import type { Locale } from '../../messages/index.ts';
import { translate } from '../../messages/index.ts';
import type { TransactionStore } from '../../store.ts';
import type { MailOutbox } from '../mail/mail-feature.ts';

type Reason = 'failures' | 'queue_full';
type Options = { mail: MailOutbox; locale: Locale; ownUrl: string };

/** Switches a webhook off and mails the administrators, in the same transaction. */
export function createSwitchOff({ mail, locale, ownUrl }: Options) {
  return async (tx: TransactionStore, id: number, reason: Reason, now: Date): Promise<void> => {
    const url = await tx.webhooks.switchOff(id, reason, now);
    if (url === undefined || !mail.enabled) return;
    for (const { email, locale: own } of await tx.webhooks.listAdministrators()) {
      const language = own ?? locale;
      const params = { url, page: `${ownUrl}/admin/webhooks` };
      const subject = translate({ key: 'mail_webhook_off' }, language);
      const text = translate({ key: `mail_webhook_off_${reason}`, params }, language);
      await mail.enqueue(tx, { to: email, subject, text: `${text}\n` }, 'notices');
    }
  };
}

export type SwitchOff = ReturnType<typeof createSwitchOff>;
