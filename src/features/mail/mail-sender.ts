import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Store } from '../../store.ts';
import type { OutboxMail } from './mail-outbox-repository.ts';
import { createSmtpTransport } from './smtp-transport.ts';

const minute = 60_000;
/** Longer than sending ever takes; the mail of a process that exits while it sends becomes due again this way. */
const lease = 5 * minute;
const mostPerRun = 100;
/** After this time the mail would be of no use: its links have expired. */
const maximumAge = 24 * 60 * minute;

export type MailSenderOptions = {
  store: Store;
  seal: Seal;
  smtpUrl: string;
  from: string;
  clock: Clock;
  logger: Logger;
};

/**
 * Sends the mails of the outbox, oldest first. A failed one is retried after half a minute, then ever more rarely, up to
 * every half hour, for a day. A mail is sent twice only if the process exits between sending and deleting it.
 */
export function createMailSender({ store, seal, smtpUrl, from, clock, logger }: MailSenderOptions) {
  const outbox = store.mailOutbox;
  const transport = createSmtpTransport(smtpUrl);
  const later = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  async function retryLater({ id, attempts }: OutboxMail, error: unknown): Promise<void> {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    logger.warn({ code, mail_id: id, attempts }, 'mail failed; retrying');
    await outbox.postpone(id, later(Math.min(2 ** (attempts - 1), 60) * (minute / 2)));
  }

  async function send(mail: OutboxMail): Promise<void> {
    if (clock().getTime() - Date.parse(mail.created_at) >= maximumAge) {
      logger.warn({ mail_id: mail.id, attempts: mail.attempts }, 'mail deleted unsent: older than a day');
      await outbox.delete(mail.id);
      return;
    }
    const text = seal.open(mail.body);
    if (text === undefined) {
      logger.warn({ mail_id: mail.id }, 'mail deleted unsent: encrypted under a secret that is no longer configured');
      await outbox.delete(mail.id);
      return;
    }
    const { recipient, subject } = mail;
    try {
      await transport.sendMail({ from, to: { name: '', address: recipient }, subject, text });
    } catch (error) {
      return retryLater(mail, error);
    }
    await outbox.delete(mail.id);
  }

  return async function sendDue(): Promise<void> {
    for (let sent = 0; sent < mostPerRun; sent += 1) {
      const mail = await outbox.claimNext(clock(), later(lease));
      if (mail === undefined) return;
      await send(mail);
    }
  };
}
