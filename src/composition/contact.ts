import { createCaptchaRoutes } from '../features/captcha/captcha-routes.ts';
import { createCaptchaService } from '../features/captcha/captcha-service.ts';
import { createContactMailer } from '../features/contact/contact-mailer.ts';
import { createContactRoutes } from '../features/contact/contact-routes.ts';
import { createSpamMatcher } from '../features/contact/spam/spam-matcher.ts';
import { readSpamWords } from '../features/contact/spam/spam-words.ts';
import { createSubmissionLimit, createSubmissionService } from '../features/contact/submission-service.ts';
import { createInboxReadModel } from '../features/inbox/inbox-read-model.ts';
import { createInboxRoutes } from '../features/inbox/inbox-routes.ts';
import { createContactLink, createInboxService } from '../features/inbox/inbox-service.ts';
import { senderOf } from '../features/mail/mail-outbox.ts';
import type { Job } from '../lib/jobs.ts';
import { createEncryption } from '../lib/secrets/encryption.ts';
import type { Platform } from './platform.ts';

/** The contact form with its captcha, and the administrators' inbox. */
export function createContact(platform: Platform) {
  const { config, database, store, secrets, clock, logger, rateLimits, locale } = platform;
  const { captchaMode, spamWordsFile, retentionDays, floodPerMinute, limitsPerHour, smtpUrl, notify } = config.contact;
  const captchas = createCaptchaService({ store, secrets, clock });
  const limit = createSubmissionLimit({ store, clock, purpose: 'contact', isEnabled: limitsPerHour });
  const mailer =
    smtpUrl !== undefined && notify.length > 0
      ? createContactMailer({
          ...{ store, smtpUrl, locale, clock, logger },
          from: senderOf(smtpUrl, config),
          recipients: notify,
          encryption: createEncryption(secrets, 'contact mail'),
        })
      : undefined;
  const spam = createSpamMatcher(readSpamWords(spamWordsFile));
  const submissions = createSubmissionService({ captchas, limit, spam, notify: mailer?.enqueue, clock });
  const inbox = createInboxService({ store, clock });

  const jobs: Job[] = [
    { name: 'purge expired captchas', everySeconds: 300, run: captchas.deleteExpired },
    { name: 'purge contact attempts', everySeconds: 600, run: limit.deleteOld },
  ];
  if (retentionDays > 0)
    jobs.push({ name: 'remove old contact requests', everySeconds: 3600, run: () => inbox.deleteOld(retentionDays) });
  if (mailer !== undefined) jobs.push(mailer.job);
  return {
    jobs,
    resolveContactRequest: createContactLink(clock),
    operations: [
      ...createCaptchaRoutes({
        captchas,
        limit: rateLimits('captcha', floodPerMinute),
        reveal: captchaMode === 'reveal',
        corsOrigins: config.http.corsOrigins,
      }),
      ...createContactRoutes({ submissions, limit: rateLimits('contact', floodPerMinute) }),
      ...createInboxRoutes({ ...platform, inbox, readModel: createInboxReadModel(database, clock) }),
    ],
  };
}
