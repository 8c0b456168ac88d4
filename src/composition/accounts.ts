import { createAccountLinkRoutes } from '../features/account-links/account-link-routes.ts';
import { createAccountLinkService, createResetRequests } from '../features/account-links/account-link-service.ts';
import { createAccountNotices } from '../features/account-notices/account-notices.ts';
import { createAuthRoutes } from '../features/auth/auth-routes.ts';
import { createAuthService } from '../features/auth/auth-service.ts';
import { createJobQueue } from '../features/background-work/background-worker.ts';
import { createBrowserSignIns } from '../features/browser-sign-ins/browser-cookie.ts';
import { createBrowserSignInRoutes } from '../features/browser-sign-ins/browser-sign-in-routes.ts';
import { createBulkUserRoutes } from '../features/bulk-users/bulk-user-routes.ts';
import { createBulkUserService } from '../features/bulk-users/bulk-user-service.ts';
import { createCalendarReadModel } from '../features/calendar/calendar-read-model.ts';
import { createCalendarRoutes } from '../features/calendar/calendar-routes.ts';
import { createCalendarService } from '../features/calendar/calendar-service.ts';
import { createSubmissionLimit } from '../features/contact/submission-service.ts';
import { createEmailChangeRoutes } from '../features/email-change/email-change-routes.ts';
import { createEmailChangeService } from '../features/email-change/email-change-service.ts';
import type { ResolveContactRequest } from '../features/inbox/inbox-service.ts';
import { createMailOutbox } from '../features/mail/mail-outbox.ts';
import { createMessageRoutes } from '../features/messages/message-routes.ts';
import { createOwnAccountRoutes } from '../features/own-account/own-account-routes.ts';
import { createPasswordHasher } from '../features/passwords/password-hasher.ts';
import { createPasswordRoutes } from '../features/passwords/password-routes.ts';
import { createPasswordCheck, createPasswordService } from '../features/passwords/password-service.ts';
import { createPersonalTokenRoutes } from '../features/personal-tokens/personal-token-routes.ts';
import { createPersonalTokenService } from '../features/personal-tokens/personal-token-service.ts';
import { createReminderRoutes } from '../features/reminders/reminder-routes.ts';
import { createReminderService } from '../features/reminders/reminder-service.ts';
import { createUnusedAccounts } from '../features/retention/unused-accounts.ts';
import { createRosterCheck } from '../features/roster/roster-check.ts';
import { createRosterKind } from '../features/roster/roster-job.ts';
import { createRosterRoutes } from '../features/roster/roster-routes.ts';
import { createRosterService } from '../features/roster/roster-service.ts';
import { createRosterWriter } from '../features/roster/roster-writer.ts';
import { createSecondFactorRoutes } from '../features/second-factor/second-factor-routes.ts';
import { createSecondFactorService } from '../features/second-factor/second-factor-service.ts';
import { createSetupRoutes } from '../features/setup/setup-routes.ts';
import { createSetupService } from '../features/setup/setup-service.ts';
import { createSignInThrottle } from '../features/sign-in-throttle/sign-in-throttle.ts';
import { createSignInRoutes } from '../features/sign-ins/sign-in-routes.ts';
import { createRefreshTokens, createSignInService } from '../features/sign-ins/sign-in-service.ts';
import { createIdentityProvider } from '../features/single-sign-on/identity-provider.ts';
import { createSingleSignOnRoutes } from '../features/single-sign-on/single-sign-on-routes.ts';
import { createSingleSignOnService } from '../features/single-sign-on/single-sign-on-service.ts';
import { createUserRemovalService } from '../features/user-removal/user-removal-service.ts';
import { createPreparePassword } from '../features/users/first-admin.ts';
import { createUserRoutes } from '../features/users/user-routes.ts';
import { createUserService } from '../features/users/user-service.ts';
import type { Job } from '../lib/jobs.ts';
import { createEncryption } from '../lib/secrets/encryption.ts';
import type { Platform } from './platform.ts';
import type { Study } from './study.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Users, sign-ins, and mail to account holders. */
export function createAccounts(platform: Platform, study: Study, resolveContactRequest: ResolveContactRequest) {
  const { config, database, store, secrets, clock, rateLimits, locale, ownUrl } = platform;
  const { publicUrl } = config;
  const { floodPerMinute, limitsPerHour } = config.contact;
  const { outbox: mail, jobs: mailJobs } = createMailOutbox(platform);
  const notify = createAccountNotices({ mail, locale, clock });
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle({ store, clock, hasher, notify });
  const signIns = createSignInService({ ...platform, refreshTokens: createRefreshTokens(secrets) });
  const base = { ...platform, timeZones: study.timeZones, hasher, throttle, signIns, notify, mail, publicUrl: ownUrl };
  const passwords = createPasswordService(base);
  const secondFactor = createSecondFactorService({ ...base, encryption: createEncryption(secrets, 'second factor') });
  const withPassword = createPasswordCheck(base);
  const endTimers = study.timer.end;
  const removal = createUserRemovalService({ ...base, endTimers, secondFactor, withPassword });
  const links = createAccountLinkService({ ...base, passwords });
  const resetLimit = createSubmissionLimit({ store, clock, purpose: 'password_reset', isEnabled: limitsPerHour });
  const resetRequests = createResetRequests({
    ...{ store, limit: resetLimit, links, clock, isEnabled: config.passwordSignIn },
  });
  const users = createUserService({
    ...{ ...base, awards: study.awards, endTimers, resolveContactRequest, passwords, links },
    preparePassword: createPreparePassword({ hasher, clock }),
  });
  const auth = createAuthService({ ...base, secondFactor, isEnabled: config.passwordSignIn });
  const singleSignOn = createSingleSignOnService({
    ...{ ...base, secondFactor, users, createsAccounts: config.singleSignOn?.createsAccounts === true },
    provider:
      config.singleSignOn &&
      createIdentityProvider({
        ...{ settings: config.singleSignOn, redirectUri: `${ownUrl}/sign-in/callback`, logger: platform.logger },
      }),
  });
  const browser = createBrowserSignIns({ signIns, users, publicUrl, clock });
  const emailChanges = createEmailChangeService(base);
  const calendar = createCalendarService({
    ...base,
    readModel: createCalendarReadModel(database),
    defaultLocale: locale,
  });

  const reminders = createReminderService({ ...platform, mail, listBehind: study.progress.listBehind });

  const unused = createUnusedAccounts({ ...platform, users, mail, days: config.retention.accountDays });

  const rosterKind = createRosterKind({
    ...{ store, clock, check: createRosterCheck({ store, clock }) },
    writer: createRosterWriter({ ...platform, users, links }),
  });
  const rosterQueue = createJobQueue(rosterKind, platform.encryption, platform);
  const rosters = createRosterService({ store, queue: rosterQueue, mail, clock });

  const jobs: Job[] = [
    { name: 'purge sign-in failures', everySeconds: 600, run: throttle.purgeExpired },
    { name: 'delete expired second factor setups', everySeconds: 600, run: secondFactor.purgeExpired },
    { name: 'purge expired sign-ins', everySeconds: 3600, run: signIns.purgeExpired },
    { name: 'purge expired e-mail changes', everySeconds: 3600, run: emailChanges.purgeExpired },
    { name: 'purge expired single sign-ons', everySeconds: 600, run: singleSignOn.purgeExpired },
    { name: 'mail links to reset passwords', everySeconds: 5, run: resetRequests.processAll },
    { name: 'purge expired account links', everySeconds: 3600, run: links.purgeExpired },
    rosterQueue.job,
    { name: 'clean up rosters', everySeconds: 600, run: rosters.clean },
    ...mailJobs,
    ...reminders.jobs,
    ...unused.jobs,
  ];
  return {
    ...{ users, auth, secondFactor, mail, notify, jobs },
    operations: [
      ...createAuthRoutes({ auth, signIns, users }),
      ...createBrowserSignInRoutes({ auth, signIns, browser }),
      ...createSingleSignOnRoutes({ singleSignOn, users, browser, publicUrl, rateLimits, floodPerMinute }),
      ...createOwnAccountRoutes({ users, removal, emailChanges }),
      ...createEmailChangeRoutes({ emailChanges }),
      ...createPasswordRoutes({ passwords }),
      ...createAccountLinkRoutes({ links, resetRequests, rateLimits, floodPerMinute }),
      ...createSetupRoutes({ setup: createSetupService(base), rateLimits, floodPerMinute }),
      ...createSignInRoutes({ signIns }),
      ...createPersonalTokenRoutes({ tokens: createPersonalTokenService(base) }),
      ...createSecondFactorRoutes({ secondFactor, withPassword, users }),
      ...createUserRoutes({ users, removal }),
      ...createRosterRoutes({ rosters }),
      ...createReminderRoutes({ reminders, rateLimits, floodPerMinute }),
      ...createMessageRoutes({ mail, locale, clock }),
      ...createBulkUserRoutes({ bulkUsers: createBulkUserService(base), publicUrl }),
      ...createCalendarRoutes({ calendar, publicUrl: ownUrl }),
    ],
  };
}
