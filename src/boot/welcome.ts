import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { createSetupTokens } from '../features/accounts/setup/setup-service.ts';
import { ensureFirstAdmin } from '../features/accounts/users/account-creation.ts';
import { systemClock } from '../lib/clock.ts';
import { connect } from './composition/database.ts';

type Options = { config: Config; database: Database; secrets: readonly string[] };

/**
 * What to tell the operator when the service listens at `origin`. Creates the administrator of the settings; without one, it is the link
 * to the page that creates one.
 */
export async function prepareWelcome({ config, database, secrets }: Options): Promise<(origin: string) => string> {
  const hasAdmin = await ensureFirstAdmin(connect(database), config.firstAdmin);
  return (origin) => {
    if (!hasAdmin) return `${address(origin)}${setupLink(origin, createSetupTokens(secrets, systemClock).issue())}\n`;
    return config.production ? '' : `${address(origin)}\n`;
  };
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
