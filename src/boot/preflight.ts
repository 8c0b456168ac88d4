import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Config, ConfigError } from '../config/config.ts';
import { assertFirstAdmin } from '../features/accounts/users/account-creation.ts';
import { readSpamWords } from '../features/contact/submissions/spam/spam-words.ts';
import { assertWritable, makeFolder } from '../lib/folders.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { isUrl } from '../lib/storage/s3-storage.ts';
import { assertPortFree } from './http-server.ts';
import { printError } from './start-error.ts';

export async function findTokenSecrets({ tokens, dataDir }: Config): Promise<readonly string[]> {
  return tokens.secrets.length > 0 ? tokens.secrets : [await storedSecret(dataDir, 'jwt-secret', 48)];
}

/** Created atomically, because processes that start together share it. */
async function storedSecret(dataDir: string, name: string, bytes: number): Promise<string> {
  const file = path.join(dataDir, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    const stored = await read(file);
    if (stored !== undefined) return stored;
    await makeFolder(dataDir, 0o700);
    await writeFile(draft, `${randomBytes(bytes).toString('base64url')}\n`, { mode: 0o600, flush: true });
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    const secret = await read(file);
    if (secret === undefined) throw new Error('it is empty');
    return secret;
  } catch (error) {
    throw new OperatorError(`DATA_DIR: ${file} cannot be stored (${error instanceof Error ? error.message : error})`);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What can be checked before the database is started, so that a start that would fail changes nothing. */
export async function preflight(config: Config): Promise<void> {
  const { images, incomingDir, firstAdmin, contact, backups } = config;
  assertFirstAdmin(firstAdmin);
  readSpamWords(contact.spamWordsFile);
  await assertPortFree(config);
  const problems = [
    await folderProblem('DATA_DIR', incomingDir, 0o700),
    images.storageUrl === undefined ? await folderProblem('UPLOADS_DIR', images.uploadsDir) : undefined,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ConfigError(problems);
  // The service is of use without backups, such as while their disk is not mounted; they are retried, and alerted.
  if (backups !== undefined && !isUrl(backups.to)) {
    const problem = await folderProblem('BACKUP_TO', backups.to, 0o700);
    if (problem !== undefined) printError(problem);
  }
}

async function folderProblem(setting: string, folder: string, mode?: number): Promise<string | undefined> {
  try {
    await assertWritable(folder, mode);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return `${setting}: ${folder} cannot be written (${reason}). Give this user access to it, or choose another folder.`;
  }
}
