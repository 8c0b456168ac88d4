import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { createEncryption } from '../../../lib/secrets/encryption.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';
import { maySeeScope, messageScope } from '../message-scope-repository.ts';

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
  scope: messageScope.exactOptional(),
  /** What is forgotten if it cannot be sent, so that it is announced again. */
  notice: z.object({ user_id: z.number(), notice: z.string() }).exactOptional(),
});
export type Mail = z.infer<typeof mail>;

const minute = 60_000;

/**
 * The most urgent first: links for which their reader waits, then notices, invitations, messages of administrators to many, and
 * reminders.
 */
const mailQueues = ['', 'notices', 'invitations', 'messages', 'reminders'] as const;
type MailQueue = (typeof mailQueues)[number];

/** Forgets that a notice was announced. */
type ForgetNotice = (tx: Tx, notice: { user_id: number; notice: string }) => Promise<unknown>;
type MailKindOptions = { store: Db; smtpUrl: string; from: Sender; clock: Clock; forgetNotice: ForgetNotice };

/** In turns between senders. A mail is sent twice only if the process exits between sending it and deleting its job. */
function createMailKind({ store, smtpUrl, from, clock, forgetNotice }: MailKindOptions): JobKind<Mail> {
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
    async run({ to, until, scope, notice, ...content }) {
      if (until !== undefined && clock() >= new Date(until)) return { done: true };
      if (scope !== undefined && !(await maySeeScope(store, scope)).allowed) return { done: true };
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, ...content });
      } catch (error) {
        if (notice === undefined || !isUnknownRecipient(error)) throw error;
      }
      return { done: true };
    },
    async failed(tx, { notice }, _job, { expired }) {
      if (notice !== undefined && expired) await forgetNotice(tx, notice);
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
  /** Queues a mail, which is sent after the commit. Does nothing without a mail server. `sender`: the user whose turns it takes. */
  enqueue(tx: Tx, mail: Mail, queue?: MailQueue, sender?: number): Promise<void>;
  enqueueAll(tx: Tx, mails: readonly Mail[], queue: MailQueue, sender?: number): Promise<void>;
};

type MailOutboxOptions = {
  config: SenderConfig;
  store: Db;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
  forgetNotice: ForgetNotice;
};

export function createMailOutbox({ config, store, secrets, clock, logger, forgetNotice }: MailOutboxOptions) {
  const { smtpUrl } = config.mail;
  if (smtpUrl === undefined) {
    const outbox: MailOutbox = { enabled: false, enqueue: async () => undefined, enqueueAll: async () => undefined };
    return { outbox, jobs: [] };
  }
  const from = senderOf(smtpUrl, config);
  const encryption = createEncryption(secrets, 'mail outbox');
  const mails = createJobQueue(createMailKind({ store, smtpUrl, from, clock, forgetNotice }), encryption, {
    store,
    clock,
    logger,
  });

  const outbox: MailOutbox = {
    enabled: true,
    enqueue: (tx, mail, queue = '', sender) => mails.enqueue(tx, mail, { queue, sender }),
    enqueueAll: (tx, all, queue, sender) => mails.enqueueAll(tx, all, { queue, sender }),
  };
  const jobs: Job[] = [mails.job];
  return { outbox, jobs };
}
