import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Node's recursive mkdir never returns in folders such as /proc, which fail with ENOENT. */
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
