import { join } from 'node:path';
import { createLocalStorage } from './local-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

/** With `storageUrl`, a bucket; otherwise a folder on this machine. */
type StorageSettings = { uploadsDir: string; storageUrl?: string | undefined; storagePublicUrl?: string | undefined };

/** A folder of the storage. Only the folder of images is served without an access check. */
export function openStorage(
  { uploadsDir, storageUrl, storagePublicUrl }: StorageSettings,
  folder: string,
  cacheControl = 'private, no-store',
): Storage {
  return storageUrl === undefined
    ? createLocalStorage(join(uploadsDir, folder))
    : createS3Storage({ url: storageUrl, folder, publicUrl: storagePublicUrl, cacheControl });
}

export const openImageStorage = (settings: StorageSettings): Storage =>
  openStorage(settings, 'projects', 'public, max-age=31536000, immutable');
