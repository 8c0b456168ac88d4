import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ensureFirstAdmin } from '../features/users/first-admin.ts';
import { createStore } from '../store.ts';
import { printError, StartError } from './start-error.ts';
import { makeDataDir } from './stored-secret.ts';
import type { NewAdmin } from './welcome.ts';

export async function provideFirstAdmin(config: Config, database: Database): Promise<NewAdmin | undefined> {
  const store = createStore(database);
  const { username } = config.firstAdmin;
  if (config.production && config.firstAdmin.password === undefined) {
    if (!(await store.users.hasAdmin())) printError(noAdminYet);
    return undefined;
  }
  const passwordFile = path.join(config.dataDir, 'first-admin-password');
  const savePassword = async (password: string) => {
    try {
      await makeDataDir(config.dataDir);
      await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new StartError(`DATA_DIR: ${passwordFile} cannot be stored (${reason})`);
    }
  };
  const password = await ensureFirstAdmin(store, config.firstAdmin, savePassword);
  if (password === null) return undefined;
  return { username, password, passwordFile };
}

const noAdminYet =
  'There is no administrator yet. Set ADMIN_PASSWORD and restart, or run: ' +
  'studytrack admin:create --username NAME --email ADDRESS';
