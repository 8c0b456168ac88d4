import { type Config, ConfigError } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Operation } from '../../http/operation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Exporter } from '../../lib/exporter.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/logger.ts';
import type { NoteExport } from '../audit/export-audit.ts';
import { createCaptchaService } from './captcha-service.ts';
import { createContactLink } from './contact-link.ts';
import { createContactMailer } from './contact-mailer.ts';
import { createContactRoutes } from './contact-routes.ts';
import { createInboxReadModel } from './inbox-read-model.ts';
import { createInboxRoutes } from './inbox-routes.ts';
import { createInboxService } from './inbox-service.ts';
import { createSpamMatcher } from './spam/spam-matcher.ts';
import { defaultSpamWordsFile, loadSpamWords, type SpamWords } from './spam/spam-words.ts';
import { createSubmissionLimit } from './submission-limit.ts';
import { createSubmissionService } from './submission-service.ts';

export type ContactFeatureOptions = {
  config: Pick<Config, 'contact' | 'http'>;
  database: Database;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
  exporter: Exporter;
  noteExport: NoteExport;
};

/** Everything about contact requests, put together. */
export function createContactFeature(options: ContactFeatureOptions) {
  const { config, database, secrets, clock, logger, exporter, noteExport } = options;
  const { captchaMode, spamWordsFile, retentionDays, floodPerMinute, smtpUrl, notify } = config.contact;
  const { corsOrigins, defaultLocale } = config.http;
  const captchas = createCaptchaService(secrets, clock);
  const limit = createSubmissionLimit(clock);
  const spam = createSpamMatcher(readSpamWords(spamWordsFile));
  const notifies = smtpUrl !== undefined && notify.length > 0;
  const submissions = createSubmissionService({ captchas, limit, spam, notify: notifies, clock });
  const inbox = createInboxService(database, clock);

  const operations: Operation[] = [
    ...createContactRoutes({
      database,
      captchas,
      submissions,
      floodPerMinute,
      reveal: captchaMode === 'reveal',
      corsOrigins,
    }),
    ...createInboxRoutes({ inbox, readModel: createInboxReadModel(database), exporter, noteExport }),
  ];

  const jobs: Job[] = [
    { name: 'purge expired captchas', everySeconds: 300, run: () => captchas.sweep(database) },
    { name: 'purge contact attempts', everySeconds: 600, run: () => limit.sweep(database) },
  ];
  if (retentionDays > 0)
    jobs.push({ name: 'remove old contact requests', everySeconds: 3600, run: () => inbox.deleteOld(retentionDays) });
  if (notifies)
    jobs.push({
      name: 'mail about new contact requests',
      everySeconds: 10,
      run: createContactMailer({ database, smtpUrl, recipients: notify, locale: defaultLocale, clock, logger }),
    });

  return { operations, jobs, resolveContactRequest: createContactLink(clock) };
}

function readSpamWords(file = defaultSpamWordsFile): SpamWords {
  try {
    return loadSpamWords(file);
  } catch (error) {
    throw new ConfigError([`SPAM_WORDS_FILE: ${error instanceof Error ? error.message : error}`]);
  }
}
