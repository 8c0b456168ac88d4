import type { Job } from '../../lib/jobs.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import { createMailOutbox } from '../operations/mail/mail-outbox.ts';
import type { Platform } from '../operations/platform.ts';
import { createAccountLinkRoutes } from './account-links/account-link-routes.ts';
import {
  createAccountLinkService,
  createResetRequests,
  type ResetLimit,
} from './account-links/account-link-service.ts';
import * as accountNotices from './account-notices/account-notice-repository.ts';
import { createAccountNotices } from './account-notices/account-notices.ts';
import { createAuthRoutes } from './auth/auth-routes.ts';
import { createAuthService } from './auth/auth-service.ts';
import { createBrowserSignIns } from './auth/browser/browser-cookie.ts';
import { createBrowserSignInRoutes } from './auth/browser/browser-sign-in-routes.ts';
import { createEmailChangeRoutes } from './email-change/email-change-routes.ts';
import { createEmailChangeService } from './email-change/email-change-service.ts';
import { createGroupRoutes } from './groups/group-routes.ts';
import { createGroupService } from './groups/group-service.ts';
import { createOwnAccountRoutes } from './own-account/own-account-routes.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import { createPersonalTokenRoutes } from './personal-tokens/personal-token-routes.ts';
import { createPersonalTokenReader, createPersonalTokenService } from './personal-tokens/personal-token-service.ts';
import { createRetentionService } from './retention/retention-service.ts';
import { createUnusedAccounts } from './retention/unused-accounts.ts';
import { createSecondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { createSecondFactorService } from './second-factor/second-factor-service.ts';
import { createSetupRoutes } from './setup/setup-routes.ts';
import { createSetupService, type FillExampleSchool } from './setup/setup-service.ts';
import { createIdentityReader } from './sign-ins/identity.ts';
import { createPasswordRoutes } from './sign-ins/passwords/password-routes.ts';
import { createPasswordCheck, createPasswordService } from './sign-ins/passwords/password-service.ts';
import { createSignInRoutes } from './sign-ins/sign-in-routes.ts';
import { createRefreshTokens, createSignInService } from './sign-ins/sign-in-service.ts';
import { createSignInThrottle } from './sign-ins/throttle/sign-in-throttle.ts';
import { createTokens } from './sign-ins/tokens.ts';
import { createIdentityProvider } from './single-sign-on/identity-provider.ts';
import { createSingleSignOnRoutes } from './single-sign-on/single-sign-on-routes.ts';
import { createSingleSignOnService } from './single-sign-on/single-sign-on-service.ts';
import { createUserRemovalService } from './user-removal/user-removal-service.ts';
import { createPreparePassword } from './users/account-creation.ts';
import { createBulkUserRoutes } from './users/bulk/bulk-user-routes.ts';
import { createBulkUserService } from './users/bulk/bulk-user-service.ts';
import type { AccountHooks } from './users/leaving.ts';
import { createUserRoutes } from './users/user-routes.ts';
import { createUserService } from './users/user-service.ts';

export type Accounts = ReturnType<typeof createAccounts>;

type AccountsOptions = AccountHooks & { resetLimit: ResetLimit; fillExampleSchool: FillExampleSchool };

/** Users and groups, sign-ins, and mail to account holders. The areas above pass what follows there from changes of accounts. */
export function createAccounts(platform: Platform, hooks: AccountsOptions) {
  const { config, store, database, secrets, clock, logger, rateLimits, locale, ownUrl } = platform;
  const { publicUrl } = config;
  const { floodPerMinute } = config.contact;
  const { outbox: mail, jobs: mailJobs } = createMailOutbox({ ...platform, forgetNotice: accountNotices.forget });
  const notify = createAccountNotices({ mail, locale, clock });
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle({ store, clock, hasher, notify });
  const tokens = createTokens({ secrets, accessSeconds: config.tokens.accessSeconds, clock });
  const signIns = createSignInService({ ...platform, tokens, refreshTokens: createRefreshTokens(secrets) });
  const base = { ...platform, ...hooks, hasher, throttle, signIns, notify, mail, publicUrl: ownUrl };
  const passwords = createPasswordService(base);
  const secondFactor = createSecondFactorService({ ...base, encryption: createEncryption(secrets, 'second factor') });
  const withPassword = createPasswordCheck(base);
  const removal = createUserRemovalService({ ...base, secondFactor, withPassword });
  const links = createAccountLinkService({ ...base, passwords });
  const resetRequests = createResetRequests({
    store,
    limit: hooks.resetLimit,
    links,
    clock,
    isEnabled: config.passwordSignIn,
  });
  const users = createUserService({
    ...base,
    passwords,
    links,
    preparePassword: createPreparePassword({ hasher, clock }),
  });
  const auth = createAuthService({ ...base, secondFactor, isEnabled: config.passwordSignIn });
  const singleSignOn = createSingleSignOnService({
    ...base,
    secondFactor,
    users,
    createsAccounts: config.singleSignOn?.createsAccounts === true,
    provider:
      config.singleSignOn &&
      createIdentityProvider({
        settings: config.singleSignOn,
        redirectUri: `${ownUrl}/sign-in/callback`,
        logger: platform.logger,
      }),
  });
  const browser = createBrowserSignIns({ signIns, users, publicUrl, clock });
  const emailChanges = createEmailChangeService(base);
  const unused = createUnusedAccounts({ ...platform, users, mail, days: config.retention.accountDays });

  const retention = createRetentionService({ store, settings: config.retention, clock });
  const removeOld = async () => {
    for (const { kind, count } of await retention.run())
      if (count > 0) logger.info({ kind, count }, 'data removed after their retention');
  };

  const jobs: Job[] = [
    { name: 'purge sign-in failures', everySeconds: 600, run: throttle.purgeExpired },
    { name: 'delete expired second factor setups', everySeconds: 600, run: secondFactor.purgeExpired },
    { name: 'purge expired sign-ins', everySeconds: 3600, run: signIns.purgeExpired },
    { name: 'purge expired e-mail changes', everySeconds: 3600, run: emailChanges.purgeExpired },
    { name: 'purge expired single sign-ons', everySeconds: 600, run: singleSignOn.purgeExpired },
    { name: 'mail links to reset passwords', everySeconds: 5, run: resetRequests.processAll },
    { name: 'purge expired account links', everySeconds: 3600, run: links.purgeExpired },
    ...mailJobs,
    ...unused.jobs,
    ...(retention.isOn ? [{ name: 'remove data after their retention', everySeconds: 3600, run: removeOld }] : []),
  ];
  return {
    users,
    auth,
    secondFactor,
    links,
    mail,
    notify,
    tokens,
    jobs,
    personalTokens: createPersonalTokenReader({ store, clock }),
    identities: createIdentityReader(database),
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
      ...createGroupRoutes({ groups: createGroupService({ store }) }),
      ...createBulkUserRoutes({ bulkUsers: createBulkUserService(base), publicUrl }),
    ],
  };
}
