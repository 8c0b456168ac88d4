import { randomUUID } from 'node:crypto';
import { copyFile, opendir, open as openFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assertWritable, makeFolder } from '../folders.ts';
import { assertStorageName, isStorageName, type Storage, storageFault } from './storage.ts';

export function createLocalStorage(folder: string): Storage {
  /** `source` may be on another file system, where a rename would not be atomic. */
  async function put(name: string, source: string): Promise<void> {
    assertStorageName(name);
    const part = join(folder, `${randomUUID()}.tmp`);
    try {
      await makeFolder(folder);
      await copyFile(source, part);
      await sync(part, 'r+');
      await rename(part, join(folder, name));
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw storageFault(error);
    }
    // Makes the rename durable; Windows cannot open folders.
    if (process.platform !== 'win32') await sync(folder, 'r');
  }

  async function remove(name: string): Promise<void> {
    if (isStorageName(name)) await rm(join(folder, name), { force: true });
  }

  async function* list() {
    for await (const { name } of (await unlessMissing(opendir(folder), undefined)) ?? []) {
      if (!isStorageName(name)) continue;
      const found = await unlessMissing(stat(join(folder, name)), undefined);
      if (found?.isFile()) yield { name, modifiedAt: found.mtime };
    }
  }

  async function open(name: string) {
    if (!isStorageName(name)) return undefined;
    const handle = await unlessMissing(openFile(join(folder, name)), undefined);
    if (handle === undefined) return undefined;
    const found = await handle.stat();
    if (found.isFile()) return { size: found.size, modifiedAt: found.mtime, stream: handle.createReadStream() };
    await handle.close();
    return undefined;
  }

  return {
    put,
    delete: remove,
    list,
    open,
    localPath: (name) => (isStorageName(name) ? resolve(folder, name) : undefined),
    publicUrl: () => undefined,
    assertWritable: () => assertWritable(folder),
  };
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await openFile(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T, F>(result: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback;
    throw error;
  }
}
