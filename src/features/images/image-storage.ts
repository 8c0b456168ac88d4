import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createLocalStorage } from '../../lib/storage/local-storage.ts';
import { createS3Storage } from '../../lib/storage/s3-storage.ts';
import type { Storage } from '../../lib/storage/storage.ts';

/** A folder of the store; files of other folders than that of the images are sent to nobody without a check of their own. */
export function openStorage({ uploadsDir, storageUrl, storagePublicUrl }: Config['images'], folder: string): Storage {
  return storageUrl === undefined
    ? createLocalStorage(join(uploadsDir, folder))
    : createS3Storage({ url: storageUrl, folder, publicUrl: storagePublicUrl });
}

export const openImageStorage = (config: Config['images']): Storage => openStorage(config, 'projects');

export const imagesAt = '/uploads/projects';

/** What a project's row names: the path of a stored file on this service, wherever the files lie. */
export function imagePath(name: string): string {
  return `${imagesAt}/${name}`;
}

export function imageName(path: string): string {
  return path.slice(imagesAt.length + 1);
}
