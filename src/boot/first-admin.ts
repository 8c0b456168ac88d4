import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { ensureFirstAdmin, hasAdmin } from '../features/users/first-admin.ts';
import { translate } from '../messages/index.ts';
import { makeDataDir } from './kept-secret.ts';
import { printError, StartError } from './start-error.ts';
import type { NewAdmin } from './welcome.ts';

/**
 * Makes the first administrator while there is none: with the password of the settings, or outside production with one
 * made here, which is kept in the data folder and answered, to be shown this once. Throws StartError.
 */
export async function provideFirstAdmin(config: Config, database: Database): Promise<NewAdmin | undefined> {
  const { username } = config.firstAdmin;
  if (config.production && config.firstAdmin.password === undefined) {
    if (!(await hasAdmin(database))) printError(noAdminYet);
    return undefined;
  }
  const passwordFile = path.join(config.dataDir, 'first-admin-password');
  const keep = async (password: string) => {
    try {
      await makeDataDir(config.dataDir);
      await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      throw new StartError(
        `DATA_DIR: ${passwordFile} cannot be kept (${error instanceof Error ? error.message : error})`,
      );
    }
  };
  const password = await ensureFirstAdmin(database, config.firstAdmin, keep).catch((error: unknown) => {
    throw error instanceof ValidationError ? new StartError(settingsLines(error)) : error;
  });
  if (password === null) return undefined;
  return { username, password, passwordFile };
}

const noAdminYet =
  'There is no administrator yet. Set ADMIN_PASSWORD and restart, or run: ' +
  'node dist/src/cli/admin-create.js --username NAME --email ADDRESS';

function settingsLines(error: ValidationError): string {
  return error.details
    .map(({ field, message }) => `ADMIN_${field.toUpperCase()}: ${translate(message, 'en')}`)
    .join('\n');
}
