import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store } from '../../store.ts';
import { createSmtpTransport, senderOf } from '../mail/smtp-transport.ts';
import { composeMail } from './contact-mail.ts';

const minute = 60_000;
const pause = 10 * minute;
/** Longer than any delivery takes; the turn of a process that dies while it sends expires. */
const lease = 5 * minute;
const mostAtOnce = 1000;

export type ContactMailerOptions = {
  store: Store;
  smtpUrl: string;
  recipients: readonly string[];
  locale: Locale;
  clock: Clock;
  logger: Logger;
};

/**
 * Notifies administrators of new requests: at most one mail in ten minutes, about all requests since the last one. A
 * failed delivery is retried after half a minute, with exponential backoff up to half an hour.
 */
export function createContactMailer({ store, smtpUrl, recipients, locale, clock, logger }: ContactMailerOptions) {
  const outbox = store.contactOutbox;
  const transport = createSmtpTransport(smtpUrl);
  const from = senderOf(smtpUrl) ?? recipients[0];
  const later = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  /**
   * Sends the mail that is due, unless another process is sending it. Delivery is at least once: a request is reported
   * twice only if the process dies between sending and recording it.
   */
  return async function sendWaiting(): Promise<void> {
    const turn = await outbox.claim(clock(), later(lease));
    if (turn === undefined) return;
    const requests = await outbox.listWaiting(mostAtOnce);
    if (requests.length === 0) return;
    try {
      await transport.sendMail({ from, to: [...recipients], ...composeMail(requests, locale) });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
      logger.warn(
        { code, failures: turn.failures + 1, waiting: requests.length },
        'mail about contact requests failed',
      );
      await outbox.settleFailed(later(Math.min(2 ** turn.failures, 60) * (minute / 2)));
      return;
    }
    await outbox.settleSent(
      requests.map((request) => request.id),
      later(pause),
    );
  };
}
