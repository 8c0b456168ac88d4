import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Operation } from '../../http/operation.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/export/exporter.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Store } from '../../store.ts';
import type { AuditExport } from '../audit/export-audit.ts';
import { createCaptchaRoutes } from '../captcha/captcha-routes.ts';
import { createCaptchaService } from '../captcha/captcha-service.ts';
import { createInboxFeature } from '../inbox/inbox-feature.ts';
import { createContactMailer } from './contact-mailer.ts';
import { createContactRoutes } from './contact-routes.ts';
import { createSpamMatcher } from './spam/spam-matcher.ts';
import { readSpamWords } from './spam/spam-words.ts';
import { createSubmissionLimit } from './submission-limit.ts';
import { createSubmissionService } from './submission-service.ts';

export type ContactFeatureOptions = {
  config: Pick<Config, 'contact' | 'http' | 'mail'>;
  store: Store;
  database: Database;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
  exporter: Exporter;
  auditExport: AuditExport;
  rateLimits: RateLimits;
};

export function createContactFeature(options: ContactFeatureOptions) {
  const { config, store, database, secrets, clock, logger, exporter, auditExport, rateLimits } = options;
  const { captchaMode, spamWordsFile, retentionDays, floodPerMinute, smtpUrl, notify } = config.contact;
  const { corsOrigins, defaultLocale } = config.http;
  const captchas = createCaptchaService({ store, secrets, clock });
  const limit = createSubmissionLimit({ store, clock, purpose: 'contact' });
  const spam = createSpamMatcher(readSpamWords(spamWordsFile));
  const mailer =
    smtpUrl !== undefined && notify.length > 0
      ? createContactMailer({
          store,
          smtpUrl,
          from: config.mail.from,
          recipients: notify,
          locale: defaultLocale,
          seal: createSeal(secrets, 'contact mail'),
          clock,
          logger,
        })
      : undefined;
  const submissions = createSubmissionService({ captchas, limit, spam, notify: mailer?.enqueue, clock });
  const inbox = createInboxFeature({ store, database, clock, exporter, auditExport, retentionDays });

  const operations: Operation[] = [
    ...createCaptchaRoutes({
      captchas,
      limit: rateLimits('captcha', floodPerMinute),
      reveal: captchaMode === 'reveal',
      corsOrigins,
    }),
    ...createContactRoutes({ submissions, limit: rateLimits('contact', floodPerMinute) }),
    ...inbox.operations,
  ];

  const jobs: Job[] = [
    { name: 'purge expired captchas', everySeconds: 300, run: captchas.deleteExpired },
    { name: 'purge contact attempts', everySeconds: 600, run: limit.deleteOld },
    ...inbox.jobs,
  ];
  if (mailer !== undefined) jobs.push(mailer.job);

  return { operations, jobs, resolveContactRequest: inbox.resolveContactRequest };
}
