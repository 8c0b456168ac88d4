import type { Config } from '../config.ts';
import { assertWritable } from '../lib/folders.ts';
import { StartError } from './start-error.ts';

export async function assertFoldersWritable({ images, incomingDir }: Config): Promise<void> {
  await check('DATA_DIR', incomingDir, 0o700);
  if (images.storageUrl === undefined) await check('UPLOADS_DIR', images.uploadsDir);
}

async function check(setting: string, folder: string, mode?: number): Promise<void> {
  try {
    await assertWritable(folder, mode);
  } catch (error) {
    throw new StartError(
      `${setting}: ${folder} cannot be written (${error instanceof Error ? error.message : error}). ` +
        'Give this user access to it, or choose another folder.',
    );
  }
}
