import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { Encryption } from '../../../lib/secrets/encryption.ts';
import { type Locale, type Message, translate } from '../../../texts/index.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import * as backgroundJobs from '../../operations/background-work/background-job-repository.ts';
import { createJobQueue } from '../../operations/background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../../operations/background-work/job-kind.ts';
import { createSmtpTransport, type Sender } from '../../operations/mail/mail-outbox.ts';
import type { MailedRequest } from './contact-repository.ts';
import { contactMails } from './contact-repository.ts';

export type ContactMail = { subject: string; text: string; replyTo?: string };

const maxShown = 50;

/** The mail about one new request, with its sender as Reply-To, or about several. */
function composeMail(requests: readonly MailedRequest[], locale: Locale): ContactMail {
  const localized = (message: Message) => translate(message, locale);
  const title = (request: MailedRequest) => localized({ key: `subject_${request.subject}` });
  const entries = requests.slice(0, maxShown).map((request) =>
    localized({
      key: 'mail_entry',
      params: {
        id: request.id,
        subject: title(request),
        at: request.created_at,
        name: request.name,
        email: request.email,
        phone: request.phone ?? '-',
        message: request.message,
      },
    }),
  );
  const more = requests.length - entries.length;
  if (more > 0) entries.push(localized({ key: 'mail_more', params: { count: more } }));
  const text = `${entries.join(`\n\n${'-'.repeat(40)}\n\n`)}\n`;

  const [only] = requests;
  return only !== undefined && requests.length === 1
    ? {
        subject: localized({ key: 'mail_one', params: { id: only.id, subject: title(only) } }),
        text,
        replyTo: only.email,
      }
    : { subject: localized({ key: 'mail_many', params: { count: requests.length } }), text };
}

const minute = 60_000;
const pause = 10 * minute;
const maxPerMail = 1000;
/** Of the jobs with the same key only the oldest runs, so only one process sends. */
const orderingKey = 'administrators';

const newRequest = z.object({ request_id: z.int() });
type NewRequest = z.infer<typeof newRequest>;

export type ContactMailerOptions = {
  store: Db;
  smtpUrl: string;
  from: Sender;
  /** In addition to the administrators who chose these mails. */
  recipients: readonly string[];
  locale: Locale;
  encryption: Encryption;
  clock: Clock;
  logger: Logger;
};

/** At most one mail in ten minutes, about all requests since the last one: the oldest job reports all that wait. */
export function createContactMailer(options: ContactMailerOptions) {
  const { store, smtpUrl, from, recipients, locale, encryption, clock, logger } = options;
  const transport = createSmtpTransport(smtpUrl);

  const kind: JobKind<NewRequest> = {
    kind: 'contact_mail',
    name: 'mail about new contact requests',
    everySeconds: 10,
    payload: newRequest,
    encrypted: false,
    lease: 5 * minute,
    maximumAge: 30 * 24 * 60 * minute, // the inbox still has the requests
    perRun: 100,
    retryAfter: exponentialBackoff,
    async run() {
      const pausedUntil = await contactMails.findPause(store);
      if (pausedUntil > clock()) return { postponedUntil: pausedUntil };
      const waiting = await backgroundJobs.listByKey(store, kind.kind, orderingKey, maxPerMail);
      const requestIds = waiting.map(({ payload }) => newRequest.parse(payload).request_id);
      const requests = await contactMails.listRequests(store, requestIds);
      const reported = waiting.map(({ id }) => id);
      if (requests.length === 0) return { done: true, settle: (tx) => backgroundJobs.deleteAll(tx, reported) };
      const to = new Set([...recipients, ...(await contactMails.listSubscribers(store))]);
      if (to.size > 0) await transport.sendMail({ from, to: [...to], ...composeMail(requests, locale) });
      return {
        done: true,
        settle: async (tx) => {
          await backgroundJobs.deleteAll(tx, reported);
          await contactMails.setPause(tx, new Date(clock().getTime() + pause));
        },
      };
    },
  };
  const mails = createJobQueue(kind, encryption, { store, clock, logger });
  async function enqueue(tx: Tx, requestId: number): Promise<void> {
    const isWanted = recipients.length > 0 || (await contactMails.listSubscribers(tx)).length > 0;
    if (isWanted) await mails.enqueue(tx, { request_id: requestId }, { orderingKey });
  }

  return { job: mails.job, enqueue };
}

export type NotifyOfRequest = ReturnType<typeof createContactMailer>['enqueue'];
