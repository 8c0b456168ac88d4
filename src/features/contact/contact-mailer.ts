import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store, TransactionStore } from '../../store.ts';
import { createJobQueue } from '../background-work/background-worker.ts';
import { exponentialBackoff, type JobKind } from '../background-work/job-kind.ts';
import { createSmtpTransport, senderOf } from '../mail/smtp-transport.ts';
import { composeMail } from './contact-mail.ts';

const minute = 60_000;
const pause = 10 * minute;
const maxPerMail = 1000;
/** Of the jobs with the same key only the oldest runs, so only one process sends. */
const orderingKey = 'administrators';

const newRequest = z.object({ request_id: z.int() });
type NewRequest = z.infer<typeof newRequest>;

export type ContactMailerOptions = {
  store: Store;
  smtpUrl: string;
  from: string | undefined;
  recipients: readonly string[];
  locale: Locale;
  seal: Seal;
  clock: Clock;
  logger: Logger;
};

/** At most one mail in ten minutes, about all requests since the last one: the oldest job reports all that wait. */
export function createContactMailer(options: ContactMailerOptions) {
  const { store, smtpUrl, recipients, locale, seal, clock, logger } = options;
  const transport = createSmtpTransport(smtpUrl);
  const from = senderOf(options) ?? recipients[0];

  const kind: JobKind<NewRequest> = {
    kind: 'contact_mail',
    name: 'mail about new contact requests',
    everySeconds: 10,
    payload: newRequest,
    sealed: false,
    lease: 5 * minute,
    maximumAge: 30 * 24 * 60 * minute, // the inbox still has the requests
    perRun: 100,
    retryAfter: exponentialBackoff,
    async run() {
      const pausedUntil = await store.contactMails.findPause();
      if (pausedUntil > clock()) return { postponedUntil: pausedUntil };
      const waiting = await store.backgroundJobs.listByKey(kind.kind, orderingKey, maxPerMail);
      const requestIds = waiting.map(({ payload }) => newRequest.parse(payload).request_id);
      const requests = await store.contactMails.listRequests(requestIds);
      const reported = waiting.map(({ id }) => id);
      if (requests.length === 0) return { done: true, settle: (tx) => tx.backgroundJobs.deleteAll(reported) };
      await transport.sendMail({ from, to: [...recipients], ...composeMail(requests, locale) });
      return {
        done: true,
        settle: async (tx) => {
          await tx.backgroundJobs.deleteAll(reported);
          await tx.contactMails.setPause(new Date(clock().getTime() + pause));
        },
      };
    },
  };
  const mails = createJobQueue(kind, seal, { store, clock, logger });
  const enqueue = (tx: TransactionStore, requestId: number) =>
    mails.enqueue(tx, { request_id: requestId }, { orderingKey });

  return { job: mails.job, enqueue };
}

export type NotifyOfRequest = ReturnType<typeof createContactMailer>['enqueue'];
