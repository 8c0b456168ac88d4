import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates missing parents first, so that a process that creates the same folders at the same time changes nothing. Node's recursive mkdir
 * never returns in folders such as /proc, which fail with ENOENT.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  if (await isFolder(folder)) return;
  await makeFolder(path.dirname(path.resolve(folder)), mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (!(await isFolder(folder))) throw error; // another process was faster
  }
}

export async function assertWritable(folder: string, mode?: number): Promise<void> {
  await makeFolder(folder, mode);
  const file = path.join(folder, `${randomUUID()}.tmp`);
  try {
    await writeFile(file, 'x');
  } finally {
    await rm(file, { force: true });
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
