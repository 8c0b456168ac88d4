import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createLocalStorage } from '../../lib/storage/local-storage.ts';
import { createS3Storage } from '../../lib/storage/s3-storage.ts';
import type { Storage } from '../../lib/storage/storage.ts';

/** A folder of the storage. Only the folder of images is served without an access check. */
export function openStorage({ uploadsDir, storageUrl, storagePublicUrl }: Config['images'], folder: string): Storage {
  return storageUrl === undefined
    ? createLocalStorage(join(uploadsDir, folder))
    : createS3Storage({ url: storageUrl, folder, publicUrl: storagePublicUrl });
}

export const openImageStorage = (config: Config['images']): Storage => openStorage(config, 'projects');

export const imagesAt = '/uploads/projects';

/** The path of a stored file on this service, as in the project row; independent of where files are stored. */
export function imagePath(name: string): string {
  return `${imagesAt}/${name}`;
}

export function imageName(path: string): string {
  return path.slice(imagesAt.length + 1);
}
