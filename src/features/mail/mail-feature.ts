import type { Config } from '../../config.ts';
import type { Database, Executor } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/logger.ts';
import { createSeal } from '../../lib/seal.ts';
import { createMailOutboxRepository } from './mail-outbox-repository.ts';
import { createMailer } from './mailer.ts';
import { senderOf } from './smtp-transport.ts';

export type Mail = { to: string; subject: string; text: string };

/** Writes a mail into the outbox; it is sent after the transaction commits. Without a mail server it does nothing. */
export type EnqueueMail = (tx: Executor, mail: Mail) => Promise<void>;

export type MailFeatureOptions = {
  config: Pick<Config, 'mail' | 'contact'>;
  database: Database;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
};

/** Mails to account holders. `enabled` says whether a mail server is configured. */
export function createMailFeature({ config, database, secrets, clock, logger }: MailFeatureOptions) {
  const { smtpUrl } = config.mail;
  const seal = createSeal(secrets, 'mail outbox');
  const enabled = smtpUrl !== undefined;

  const enqueueMail: EnqueueMail = async (tx, { to, subject, text }) => {
    if (enabled) await createMailOutboxRepository(tx).insert(to, subject, seal.seal(text), clock());
  };
  const jobs: Job[] = [];
  if (smtpUrl !== undefined) {
    const from =
      config.mail.from ?? senderOf(smtpUrl) ?? config.contact.notify[0] ?? 'studytrack@localhost.localdomain';
    const run = createMailer({ database, seal, smtpUrl, from, clock, logger });
    jobs.push({ name: 'send mails to account holders', everySeconds: 5, run });
  }
  return { enabled, enqueueMail, jobs };
}
