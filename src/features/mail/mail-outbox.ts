import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { createMailKind, type Mail, type MailQueue } from './mail-job.ts';
import { senderOf } from './smtp-transport.ts';

export type MailOutbox = {
  enabled: boolean;
  /** Queues a mail, which is sent after the commit. Does nothing without a mail server. */
  enqueue(tx: TransactionStore, mail: Mail, queue?: MailQueue): Promise<void>;
};

type MailOutboxOptions = {
  config: Pick<Config, 'mail' | 'contact'>;
  store: Store;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
};

export function createMailOutbox({ config, store, secrets, clock, logger }: MailOutboxOptions) {
  const { smtpUrl } = config.mail;
  if (smtpUrl === undefined) {
    const outbox: MailOutbox = { enabled: false, enqueue: async () => undefined };
    return { outbox, jobs: [] };
  }
  const from =
    senderOf({ smtpUrl, from: config.mail.from }) ?? config.contact.notify[0] ?? 'studytrack@localhost.localdomain';
  const seal = createSeal(secrets, 'mail outbox');
  const mails = createJobQueue(createMailKind({ smtpUrl, from }), seal, { store, clock, logger });

  const outbox: MailOutbox = {
    enabled: true,
    enqueue: async (tx, mail, queue = '') => void (await mails.enqueue(tx, mail, { queue })),
  };
  const jobs: Job[] = [mails.job];
  return { outbox, jobs };
}
