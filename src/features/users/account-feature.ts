import type { Config } from '../../config.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { SecurityLog } from '../../lib/log/security-log.ts';
import { createSeal } from '../../lib/secrets/seal.ts';
import type { Store } from '../../store.ts';
import { createAccountLinkRoutes } from '../account-links/account-link-routes.ts';
import { createAccountLinkService } from '../account-links/account-link-service.ts';
import { createResetRequests } from '../account-links/reset-requests.ts';
import { createAccountNotices } from '../account-notices/account-notices.ts';
import type { Awards } from '../achievements/award-kind.ts';
import { createAuthRoutes } from '../auth/auth-routes.ts';
import { createAuthService } from '../auth/auth-service.ts';
import type { Tokens } from '../auth/tokens.ts';
import { createBrowserSignInRoutes } from '../browser-sign-ins/browser-sign-in-routes.ts';
import { createBulkUserRoutes } from '../bulk-users/bulk-user-routes.ts';
import { createBulkUserService } from '../bulk-users/bulk-user-service.ts';
import { createSubmissionLimit } from '../contact/submission-limit.ts';
import { createEmailChangeRoutes } from '../email-change/email-change-routes.ts';
import { createEmailChangeService } from '../email-change/email-change-service.ts';
import type { ResolveContactRequest } from '../inbox/contact-link.ts';
import { createMailFeature } from '../mail/mail-feature.ts';
import { createOwnAccountRoutes } from '../own-account/own-account-routes.ts';
import { createPasswordCheck } from '../passwords/password-check.ts';
import { createPasswordHasher } from '../passwords/password-hasher.ts';
import { createPasswordRoutes } from '../passwords/password-routes.ts';
import { createPasswordService } from '../passwords/password-service.ts';
import { createPersonalTokenRoutes } from '../personal-tokens/personal-token-routes.ts';
import { createPersonalTokenService } from '../personal-tokens/personal-token-service.ts';
import { createSecondFactorRoutes } from '../second-factor/second-factor-routes.ts';
import { createSecondFactorService } from '../second-factor/second-factor-service.ts';
import { createSignInThrottle } from '../sign-in-throttle/sign-in-throttle.ts';
import { createRefreshTokens } from '../sign-ins/refresh-tokens.ts';
import { createSignInRoutes } from '../sign-ins/sign-in-routes.ts';
import { createSignInService } from '../sign-ins/sign-in-service.ts';
import type { TimeZones } from '../statistics/time-zones.ts';
import type { EndTimers } from '../timer/overdue-timers.ts';
import { createUserRemovalService } from '../user-removal/user-removal-service.ts';
import { createPreparePassword } from './new-account.ts';
import { createUserRoutes } from './user-routes.ts';
import { createUserService } from './user-service.ts';

export type AccountFeatureOptions = {
  config: Config;
  store: Store;
  tokens: Tokens;
  secrets: readonly string[];
  clock: Clock;
  logger: Logger;
  securityLog: SecurityLog;
  rateLimits: RateLimits;
  resolveContactRequest: ResolveContactRequest;
  timeZones: TimeZones;
  endTimers: EndTimers;
  awards: Awards;
};

export function createAccountFeature(options: AccountFeatureOptions) {
  const { config, store, tokens, secrets, clock, logger, securityLog, rateLimits } = options;
  const { publicUrl } = config;
  const mail = createMailFeature({ config, store, secrets, clock, logger });
  const notify = createAccountNotices({ mail: mail.outbox, locale: config.http.defaultLocale, clock });
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle({ store, clock, hasher, notify });
  const signIns = createSignInService({
    store,
    tokens,
    refreshTokens: createRefreshTokens(secrets),
    securityLog,
    clock,
  });
  const passwords = createPasswordService({ store, hasher, signIns, throttle, securityLog, clock, notify });
  const seal = createSeal(secrets, 'second factor');
  const secondFactor = createSecondFactorService({ store, seal, securityLog, clock, notify });
  const preparePassword = createPreparePassword({ hasher, clock });
  const withPassword = createPasswordCheck({ store, hasher, throttle });
  const removal = createUserRemovalService({ ...options, signIns, throttle, secondFactor, withPassword, notify });
  const ownUrl = (publicUrl ?? `http://${config.host}:${config.port}`).replace(/\/$/, '');
  const locale = config.http.defaultLocale;
  const linkOptions = { store, hasher, passwords, mail: mail.outbox, publicUrl: ownUrl, locale, securityLog, clock };
  const links = createAccountLinkService(linkOptions);
  const resetLimit = createSubmissionLimit({ store, clock, purpose: 'password_reset' });
  const resetRequests = createResetRequests({ store, limit: resetLimit, links, clock });
  const users = createUserService({ ...options, preparePassword, passwords, links, signIns, throttle });
  const bulkUsers = createBulkUserService({ ...options, hasher });
  const auth = createAuthService({ store, hasher, signIns, throttle, secondFactor, securityLog });
  const emailChanges = createEmailChangeService({
    store,
    hasher,
    throttle,
    mail: mail.outbox,
    publicUrl: ownUrl,
    clock,
  });

  const jobs: Job[] = [
    { name: 'purge sign-in failures', everySeconds: 600, run: throttle.purgeExpired },
    { name: 'delete expired second factor setups', everySeconds: 600, run: secondFactor.purgeExpired },
    { name: 'purge expired sign-ins', everySeconds: 3600, run: signIns.purgeExpired },
    { name: 'purge expired e-mail changes', everySeconds: 3600, run: emailChanges.purgeExpired },
    { name: 'mail links to reset passwords', everySeconds: 5, run: resetRequests.processAll },
    { name: 'purge expired account links', everySeconds: 3600, run: links.purgeExpired },
    ...mail.jobs,
  ];
  return {
    services: { users, auth, secondFactor },
    mail: mail.outbox,
    notify,
    ownUrl,
    jobs,
    operations: [
      ...createAuthRoutes({ auth, signIns, users }),
      ...createBrowserSignInRoutes({ auth, signIns, users, publicUrl, clock }),
      ...createOwnAccountRoutes({ users, removal, emailChanges }),
      ...createEmailChangeRoutes({ emailChanges }),
      ...createPasswordRoutes({ passwords }),
      ...createAccountLinkRoutes({ links, resetRequests, rateLimits, floodPerMinute: config.contact.floodPerMinute }),
      ...createSignInRoutes({ signIns }),
      ...createPersonalTokenRoutes({
        tokens: createPersonalTokenService({ store, securityLog, notify, clock }),
      }),
      ...createSecondFactorRoutes({ secondFactor, withPassword, users }),
      ...createUserRoutes({ users, removal }),
      ...createBulkUserRoutes({ bulkUsers, publicUrl }),
    ],
  };
}
