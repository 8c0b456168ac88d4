import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Not Node's recursive mkdir, which never returns where a parent refuses new entries as missing, as /proc does. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const parent = path.dirname(path.resolve(folder));
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(folder, mode);
  }
}

/** Creates the folder where it is missing, and a file in it that is removed again. Throws what the system says. */
export async function assertWritable(folder: string, mode?: number): Promise<void> {
  await makeFolder(folder, mode);
  const file = path.join(folder, `${randomUUID()}.tmp`);
  try {
    await writeFile(file, 'x');
  } finally {
    await rm(file, { force: true });
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
