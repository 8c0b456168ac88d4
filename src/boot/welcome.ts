import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { createPasswordHasher } from '../features/accounts/passwords/password-hasher.ts';
import { createSetupTokens } from '../features/accounts/setup/setup-service.ts';
import * as credentials from '../features/accounts/sign-ins/passwords/credentials-repository.ts';
import { ensureFirstAdmin } from '../features/accounts/users/account-creation.ts';
import { systemClock } from '../lib/clock.ts';
import type { Logger } from '../lib/log/logger.ts';
import type { Db } from '../transactions/transactions.ts';
import { connect } from './composition/database.ts';

type Options = { config: Config; database: Database; secrets: readonly string[]; logger: Logger };

/**
 * What to tell the operator when the service listens at `origin`. Creates the administrator of the settings; without one, it is the link
 * to the page that creates one.
 */
export async function prepareWelcome({
  config,
  database,
  secrets,
  logger,
}: Options): Promise<(origin: string) => string> {
  const store = connect(database);
  const hasAdmin = await ensureFirstAdmin(store, config.firstAdmin);
  if (await isIgnored(store, config.firstAdmin)) {
    logger.warn('ADMIN_PASSWORD is ignored: there is an administrator already; studytrack admin:reset sets a password');
  }
  return (origin) => {
    if (!hasAdmin) return `${address(origin)}${setupLink(origin, createSetupTokens(secrets, systemClock).issue())}\n`;
    return config.production ? '' : `${address(origin)}\n`;
  };
}

/** A password that is not that of the account, which was perhaps meant to be changed by it. */
async function isIgnored(store: Db, { username, password }: Config['firstAdmin']): Promise<boolean> {
  if (password === undefined) return false;
  const { account } = await credentials.findByName(store, username);
  return !(await createPasswordHasher().verify(account?.password_hash, password));
}

const address = (origin: string) => `
  Studytrack is ready    ${origin}
  API reference          ${origin}/docs
`;

// In the fragment, which browsers send to no server and which no access log contains.
const setupLink = (origin: string, token: string) => `
  There is no administrator yet. Open this link within 30 minutes to create one (a restart prints a new link):

  ${origin}/setup#token=${token}
`;
