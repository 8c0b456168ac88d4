import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Locale } from '../../messages/index.ts';
import { createSmtpTransport, senderOf } from '../mail/smtp-transport.ts';
import { composeMail } from './contact-mail.ts';
import { createOutboxRepository } from './outbox-repository.ts';

const minute = 60_000;
const pause = 10 * minute;
/** Longer than any sending takes; a process that dies while it sends gives the turn back this way. */
const lease = 5 * minute;
const mostAtOnce = 1000;

export type ContactMailerOptions = {
  database: Database;
  smtpUrl: string;
  /** The administrators' addresses. */
  recipients: readonly string[];
  locale: Locale;
  clock: Clock;
  logger: Logger;
};

/**
 * Tells administrators of new requests: one mail at most in ten minutes, which tells of all that came meanwhile. What
 * could not be sent is tried again, after half a minute first and then ever more rarely, up to every half hour.
 */
export function createContactMailer({ database, smtpUrl, recipients, locale, clock, logger }: ContactMailerOptions) {
  const outbox = createOutboxRepository(database);
  const transport = createSmtpTransport(smtpUrl);
  const from = senderOf(smtpUrl) ?? recipients[0];
  const later = (milliseconds: number) => new Date(clock().getTime() + milliseconds);

  /**
   * Sends what waits, if it is time and no other process is at it. No request is forgotten; one is told of twice only
   * if the process dies between the sending and the noting.
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
