import type { Config } from '../config.ts';
import { readSpamWords } from '../features/contact/spam/spam-words.ts';
import { assertFirstAdmin } from '../features/users/first-admin.ts';
import { assertWritable } from '../lib/folders.ts';
import { assertPortFree } from './http-server.ts';
import { StartError } from './start-error.ts';

/** What can be checked before the database is started, so that a start that would fail changes nothing. */
export async function preflight(config: Config): Promise<void> {
  const { images, incomingDir, firstAdmin, contact } = config;
  assertFirstAdmin(firstAdmin);
  readSpamWords(contact.spamWordsFile);
  await assertPortFree(config);
  await assertFolder('DATA_DIR', incomingDir, 0o700);
  if (images.storageUrl === undefined) await assertFolder('UPLOADS_DIR', images.uploadsDir);
}

async function assertFolder(setting: string, folder: string, mode?: number): Promise<void> {
  try {
    await assertWritable(folder, mode);
  } catch (error) {
    throw new StartError(
      `${setting}: ${folder} cannot be written (${error instanceof Error ? error.message : error}). ` +
        'Give this user access to it, or choose another folder.',
    );
  }
}
