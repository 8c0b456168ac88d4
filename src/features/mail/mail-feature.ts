import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { createMailKind, type Mail } from './mail-job.ts';
import { senderOf } from './smtp-transport.ts';

export type MailOutbox = {
  enabled: boolean;
  /** Queues a mail, which is sent after the commit. Does nothing without a mail server. */
  enqueue(tx: TransactionStore, mail: Mail): Promise<void>;
};

export type MailFeatureOptions = {
  config: Pick<Config, 'mail' | 'contact'>;
  store: Store;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
};

const movedAtOnce = 100;

export function createMailFeature({ config, store, secrets, clock, logger }: MailFeatureOptions) {
  const { smtpUrl } = config.mail;
  if (smtpUrl === undefined) {
    const outbox: MailOutbox = { enabled: false, enqueue: async () => undefined };
    return { outbox, jobs: [] };
  }
  const from = config.mail.from ?? senderOf(smtpUrl) ?? config.contact.notify[0] ?? 'studytrack@localhost.localdomain';
  const seal = createSeal(secrets, 'mail outbox');
  const mails = createJobQueue(createMailKind({ smtpUrl, from }), seal, { store, clock, logger });

  /** Moves mails from processes of version 1.0, which run at the same time during a rolling upgrade. */
  const moveFormer = () =>
    store.transaction(async (tx) => {
      for (const { recipient, subject, body, created_at } of await tx.formerMails.takeDue(clock(), movedAtOnce)) {
        const text = seal.open(body);
        if (text === undefined)
          logger.warn('mail deleted unsent: encrypted under a secret that is no longer configured');
        else await mails.enqueue(tx, { to: recipient, subject, text }, {}, new Date(created_at));
      }
    });

  const outbox: MailOutbox = { enabled: true, enqueue: async (tx, mail) => void (await mails.enqueue(tx, mail)) };
  const run = async () => {
    await moveFormer();
    await mails.runDue();
  };
  const jobs: Job[] = [{ ...mails.job, run }];
  return { outbox, jobs };
}
