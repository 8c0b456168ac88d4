import type { Job } from '../../lib/jobs.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import type { ChannelOutbox } from '../operations/channels/channel-outbox.ts';
import { senderOf } from '../operations/mail/mail-outbox.ts';
import type { Platform } from '../operations/platform.ts';
import { createCaptchaRoutes } from './captcha/captcha-routes.ts';
import { createCaptchaService } from './captcha/captcha-service.ts';
import { createInboxReadModel } from './inbox/inbox-read-model.ts';
import { createInboxRoutes } from './inbox/inbox-routes.ts';
import { createContactLink, createInboxService } from './inbox/inbox-service.ts';
import { createContactMailer } from './submissions/contact-mailer.ts';
import { createContactRoutes } from './submissions/contact-routes.ts';
import { createSpamMatcher } from './submissions/spam/spam-matcher.ts';
import { readSpamWords } from './submissions/spam/spam-words.ts';
import { createSubmissionLimit, createSubmissionService } from './submissions/submission-service.ts';

/** The contact form with its captcha, and the administrators' inbox. */
export function createContact(platform: Platform, channels: ChannelOutbox) {
  const { config, database, store, secrets, clock, logger, rateLimits, locale } = platform;
  const { captchaMode, spamWordsFile, retentionDays, floodPerMinute, limitsPerHour, smtpUrl, notify } = config.contact;
  const captchas = createCaptchaService({ store, secrets, clock });
  const limit = createSubmissionLimit({ store, clock, purpose: 'contact', isEnabled: limitsPerHour });
  const mailer =
    smtpUrl !== undefined
      ? createContactMailer({
          store,
          smtpUrl,
          locale,
          clock,
          logger,
          from: senderOf(smtpUrl, config),
          recipients: notify,
          encryption: createEncryption(secrets, 'contact mail'),
        })
      : undefined;
  const spam = createSpamMatcher(readSpamWords(spamWordsFile));
  const submissions = createSubmissionService({
    captchas,
    limit,
    spam,
    clock,
    notify: async (tx, requestId) => {
      await mailer?.enqueue(tx, requestId);
      await channels.announceRequest(tx);
    },
  });
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
    /** The limit of the form also applies to requests for a new password. */
    resetLimit: createSubmissionLimit({ store, clock, purpose: 'password_reset', isEnabled: limitsPerHour }),
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
