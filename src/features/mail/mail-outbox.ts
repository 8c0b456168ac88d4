import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';

type SenderConfig = Pick<Config, 'mail' | 'contact' | 'siteName'>;

export function createSmtpTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export type Sender = { name: string; address: string };

/** MAIL_FROM, or the user name of the mail account, if it is an address: most servers require it as the sender. */
export function senderOf(smtpUrl: string, { mail, contact, siteName }: SenderConfig): Sender {
  const user = decodeURIComponent(new URL(smtpUrl).username);
  const fallback = user.includes('@') ? user : (contact.notify[0] ?? 'studytrack@localhost.localdomain');
  return { name: siteName ?? '', address: mail.from ?? fallback };
}

const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().exactOptional(),
  replyTo: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  /** When it is too late to send it. */
  until: z.string().exactOptional(),
  /** What is forgotten if it cannot be sent, so that it is announced again. */
  notice: z.object({ user_id: z.number(), notice: z.string() }).exactOptional(),
});
export type Mail = z.infer<typeof mail>;

const minute = 60_000;

/** Somebody waits for a link: these mails precede notices, messages of administrators to many, and reminders. */
const mailQueues = ['', 'notices', 'messages', 'reminders'] as const;
type MailQueue = (typeof mailQueues)[number];

type MailKindOptions = { smtpUrl: string; from: Sender; clock: Clock };

/** Oldest first. A mail is sent twice only if the process exits between sending it and deleting its job. */
function createMailKind({ smtpUrl, from, clock }: MailKindOptions): JobKind<Mail> {
  const transport = createSmtpTransport(smtpUrl);
  return {
    kind: 'mail',
    name: 'send mails to account holders',
    everySeconds: 5,
    queues: mailQueues,
    payload: mail,
    encrypted: true, // it contains valid links
    lease: 5 * minute,
    maximumAge: 24 * 60 * minute, // its links have expired
    perRun: 100,
    retryAfter: exponentialBackoff,
    async run({ to, until, notice, ...content }) {
      if (until !== undefined && clock() >= new Date(until)) return { done: true };
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, ...content });
      } catch (error) {
        if (notice === undefined || !isUnknownRecipient(error)) throw error;
      }
      return { done: true };
    },
    async failed(tx, { notice }, _job, { expired }) {
      if (notice !== undefined && expired) await tx.accountNotices.forget(notice);
    },
  };
}

/** The server will never accept it, so announcing again would not help. */
const isUnknownRecipient = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EENVELOPE' &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500;

export type MailOutbox = {
  enabled: boolean;
  /** Queues a mail, which is sent after the commit. Does nothing without a mail server. */
  enqueue(tx: TransactionStore, mail: Mail, queue?: MailQueue): Promise<void>;
  enqueueAll(tx: TransactionStore, mails: readonly Mail[], queue: MailQueue): Promise<void>;
};

type MailOutboxOptions = {
  config: SenderConfig;
  store: Store;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
};

export function createMailOutbox({ config, store, secrets, clock, logger }: MailOutboxOptions) {
  const { smtpUrl } = config.mail;
  if (smtpUrl === undefined) {
    const outbox: MailOutbox = { enabled: false, enqueue: async () => undefined, enqueueAll: async () => undefined };
    return { outbox, jobs: [] };
  }
  const from = senderOf(smtpUrl, config);
  const encryption = createEncryption(secrets, 'mail outbox');
  const mails = createJobQueue(createMailKind({ smtpUrl, from, clock }), encryption, { store, clock, logger });

  const outbox: MailOutbox = {
    enabled: true,
    enqueue: (tx, mail, queue = '') => mails.enqueue(tx, mail, { queue }),
    enqueueAll: (tx, all, queue) => mails.enqueueAll(tx, all, { queue }),
  };
  const jobs: Job[] = [mails.job];
  return { outbox, jobs };
}
