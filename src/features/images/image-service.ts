import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Database } from '../../db/database.ts';
import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import type { Actor } from '../auth/identity.ts';
import { canManageProject } from '../projects/project-policy.ts';
import type { ImageProcessor } from './image-processor.ts';
import { createImageRepository } from './image-repository.ts';
import { imageName, imagePath } from './image-storage.ts';

export type ImageServiceOptions = { database: Database; storage: Storage; processor: ImageProcessor; logger: Logger };

/**
 * Cover images. A file is stored before a row names it and removed after none does, so whatever breaks in between
 * leaves a file without a row, never a row without its file. Throws NotFoundError and PermissionDeniedError.
 */
export function createImageService({ database, storage, processor, logger }: ImageServiceOptions) {
  /** Stores the picture in the file under a name of its own. Throws ValidationError when it is none. */
  async function store(actor: Actor, path: string): Promise<string> {
    const picture = await processor.process(`user ${actor.id}`, path);
    try {
      const name = `${randomUUID()}.${picture.extension}`;
      await storage.put(name, picture.path, picture.contentType);
      return name;
    } finally {
      await rm(picture.path, { force: true });
    }
  }

  /** Makes the row name another file, or none, and removes the former. While an upload lasted all may have changed. */
  async function replace(actor: Actor, projectId: number, name: string | null): Promise<void> {
    let isCommitting = false;
    try {
      const former = await database.transaction(async (tx) => {
        const images = createImageRepository(tx);
        const project = await images.lock(projectId);
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!canManageProject(actor, project)) throw new PermissionDeniedError('project_not_yours');
        const image = name === null ? null : imagePath(name);
        if (image !== project.image) await images.update(projectId, image);
        isCommitting = true;
        return project.image;
      }, actor.act);
      if (former !== null) await discard(imageName(former));
    } catch (error) {
      // A commit whose answer was lost may have happened, and then the row names the file.
      if (name !== null && !isCommitting) await discard(name);
      throw error;
    }
  }

  /** What cannot be removed now is left to `uploads:prune`: nothing names it any more. */
  async function discard(name: string): Promise<void> {
    try {
      await storage.delete(name);
    } catch (error) {
      logger.warn({ err: error, image: name }, 'could not remove unused image');
    }
  }

  return {
    /** Makes the picture in a temporary file the project's cover image. */
    async set(actor: Actor, projectId: number, path: string) {
      const filename = await store(actor, path);
      await replace(actor, projectId, filename);
      return { image_url: imagePath(filename), filename };
    },

    /** Takes the cover image away; that there is none is fine. */
    remove: (actor: Actor, projectId: number) => replace(actor, projectId, null),
  };
}

export type ImageService = ReturnType<typeof createImageService>;
