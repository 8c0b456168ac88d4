import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createLocalStorage } from '../../lib/storage/local-storage.ts';
import { createS3Storage } from '../../lib/storage/s3-storage.ts';
import type { Storage } from '../../lib/storage/storage.ts';

export function openImageStorage({ uploadsDir, storageUrl, storagePublicUrl }: Config['images']): Storage {
  const folder = 'projects';
  return storageUrl === undefined
    ? createLocalStorage(join(uploadsDir, folder))
    : createS3Storage({ url: storageUrl, folder, publicUrl: storagePublicUrl });
}

export const imagesAt = '/uploads/projects';

/** What a project's row names: the path of a stored file on this service, wherever the files lie. */
export function imagePath(name: string): string {
  return `${imagesAt}/${name}`;
}

export function imageName(path: string): string {
  return path.slice(imagesAt.length + 1);
}
