import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import { makeFolder } from '../lib/folders.ts';
import { StartError } from './start-error.ts';

export async function findTokenSecrets({ tokens, dataDir }: Config): Promise<readonly string[]> {
  return tokens.secrets.length > 0 ? tokens.secrets : [await storedSecret(dataDir, 'jwt-secret', 48)];
}

/** Created atomically, because processes that start together share it. */
export async function storedSecret(dataDir: string, name: string, bytes: number): Promise<string> {
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
    throw new StartError(`DATA_DIR: ${file} cannot be stored (${error instanceof Error ? error.message : error})`);
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
