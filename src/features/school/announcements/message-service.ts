import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { OutOfScopeError } from '../../../texts/access-errors.ts';
import { ConflictError } from '../../../texts/errors.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as accountNotices from '../../accounts/account-notices/account-notice-repository.ts';
import { lockInScope } from '../../accounts/admin-scope/admin-scope.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import * as messages from './message-repository.ts';
import type { NewMessage } from './message-schemas.ts';

const maxPerDay = 50;

export type MessageServiceOptions = { mail: MailOutbox; locale: Locale; clock: Clock };

export function createMessageService({ mail, locale: defaultLocale, clock }: MessageServiceOptions) {
  return {
    /** Queues a mail for each active user. Throws ConflictError without a mail server, and over the limit of a day. */
    send(store: Db, actor: Actor, { user_ids, subject, text }: NewMessage) {
      if (!mail.enabled) throw new ConflictError('CONFLICT', 'message_without_mail');
      return store.transaction(actor.context, async (tx) => {
        const inScope = await lockInScope(tx, actor, user_ids);
        const outside = user_ids.flatMap((id, index) => (inScope.has(id) ? [] : [`user_ids[${index}]`]));
        if (outside.length > 0) throw new OutOfScopeError(outside);
        const claim = { userId: actor.id, notice: 'message_sent', maximum: maxPerDay, now: clock() };
        const sender = await accountNotices.claim(tx, claim);
        if (sender === undefined) throw new ConflictError('CONFLICT', 'too_many_messages', { maximum: maxPerDay });
        const recipients = await messages.listRecipients(tx, [...new Set(user_ids)]);
        const mails = recipients.map(({ email, display_name, locale }) => {
          const language = locale ?? defaultLocale;
          const greeting = translate({ key: 'mail_message_greeting', params: { name: display_name } }, language);
          const footer = translate({ key: 'mail_message_footer', params: { sender: sender.display_name } }, language);
          return { to: email, replyTo: sender.email, subject, text: `${greeting}\n\n${text}\n\n-- \n${footer}\n` };
        });
        await mail.enqueueAll(tx, mails, 'messages', actor.id);
        const sent = recipients.map((recipient) => recipient.id);
        if (sent.length > 0) tx.record({ type: 'message.sent', subject, user_ids: sent });
        const skipped = [...new Set(user_ids)].filter((id) => !sent.includes(id));
        return { sent_count: sent.length, skipped_user_ids: skipped };
      });
    },
  };
}
