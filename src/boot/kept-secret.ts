import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import { StartError } from './start-error.ts';

/** The secrets of the tokens: the configured ones, or the one that this installation made at its first start. */
export async function findTokenSecrets({ tokens, dataDir }: Config): Promise<readonly string[]> {
  return tokens.secrets.length > 0 ? tokens.secrets : [await keptSecret(dataDir, 'jwt-secret', 48)];
}

/**
 * A random secret in a file of the data folder that only its owner reads; made when it is not there. Of several
 * processes that start at once all get the same: the file appears complete, and once.
 */
export async function keptSecret(dataDir: string, name: string, bytes: number): Promise<string> {
  const file = path.join(dataDir, name);
  const draft = `${file}.${randomUUID()}`;
  try {
    const kept = await read(file);
    if (kept !== undefined) return kept;
    await makeDataDir(dataDir);
    await writeFile(draft, `${randomBytes(bytes).toString('base64url')}\n`, { mode: 0o600, flush: true });
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    const secret = await read(file);
    if (secret === undefined) throw new Error('it is empty');
    return secret;
  } catch (error) {
    throw new StartError(`DATA_DIR: ${file} cannot be kept (${error instanceof Error ? error.message : error})`);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** What lies in the data folder is for this user alone. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
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
