import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/logger.ts';
import { createSeal } from '../../lib/seal.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createMailSender } from './mail-sender.ts';
import { senderOf } from './smtp-transport.ts';

export type Mail = { to: string; subject: string; text: string };

export type MailOutbox = {
  enabled: boolean;
  /** Writes a mail into the outbox; it is sent after the transaction commits. Without a mail server it does nothing. */
  enqueue(tx: TransactionStore, mail: Mail): Promise<void>;
};

export type MailFeatureOptions = {
  config: Pick<Config, 'mail' | 'contact'>;
  store: Store;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
};

export function createMailFeature({ config, store, secrets, clock, logger }: MailFeatureOptions) {
  const { smtpUrl } = config.mail;
  const seal = createSeal(secrets, 'mail outbox');
  const enabled = smtpUrl !== undefined;

  const outbox: MailOutbox = {
    enabled,
    async enqueue({ mailOutbox }, { to, subject, text }) {
      if (enabled) await mailOutbox.insert({ recipient: to, subject, body: seal.seal(text), created_at: clock() });
    },
  };
  const jobs: Job[] = [];
  if (smtpUrl !== undefined) {
    const from =
      config.mail.from ?? senderOf(smtpUrl) ?? config.contact.notify[0] ?? 'studytrack@localhost.localdomain';
    const run = createMailSender({ store, seal, smtpUrl, from, clock, logger });
    jobs.push({ name: 'send mails to account holders', everySeconds: 5, run });
  }
  return { outbox, jobs };
}
