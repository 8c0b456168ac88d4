import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { canManageProject } from '../projects/project-policy.ts';
import type { ImageProcessor } from './image-processor.ts';
import { imageName, imagePath } from './image-storage.ts';

export type ImageServiceOptions = { store: Store; storage: Storage; processor: ImageProcessor; logger: Logger };

/**
 * Cover images. A file is stored before a row refers to it and deleted after none does: a failure in between leaves a
 * file without a row, never a row without its file. Throws NotFoundError and PermissionDeniedError.
 */
export function createImageService({ store, storage, processor, logger }: ImageServiceOptions) {
  async function storePicture(actor: Actor, path: string): Promise<string> {
    const picture = await processor.process(`user ${actor.id}`, path);
    try {
      const name = `${randomUUID()}.${picture.extension}`;
      await storage.put(name, picture.path, picture.contentType);
      return name;
    } finally {
      await rm(picture.path, { force: true });
    }
  }

  /** Sets or clears the image and deletes the former file. Checks again what may have changed during the upload. */
  async function replace(actor: Actor, projectId: number, name: string | null): Promise<void> {
    let isCommitting = false;
    try {
      const former = await store.transaction(async ({ images, projects, record }) => {
        const project = await images.lock(projectId);
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!canManageProject(actor, project)) throw new PermissionDeniedError('project_not_yours');
        const image = name === null ? null : imagePath(name);
        if (image !== project.image) {
          await images.update(projectId, image);
          const { image: before, assigned_user_ids } = project;
          const after = await projects.get(actor, projectId);
          record({ type: 'project.updated', before: { image: before }, project: after, assigned_user_ids });
        }
        isCommitting = true;
        return project.image;
      }, actor.act);
      if (former !== null) await discard(imageName(former));
    } catch (error) {
      // The commit may have succeeded although its confirmation was lost; the row then refers to the file.
      if (name !== null && !isCommitting) await discard(name);
      throw error;
    }
  }

  /** A file that cannot be deleted now is left to `uploads:prune`: no row refers to it any more. */
  async function discard(name: string): Promise<void> {
    try {
      await storage.delete(name);
    } catch (error) {
      logger.warn({ err: error, image: name }, 'could not delete unused image');
    }
  }

  return {
    async set(actor: Actor, projectId: number, path: string) {
      const filename = await storePicture(actor, path);
      await replace(actor, projectId, filename);
      return { image_url: imagePath(filename), filename };
    },

    remove: (actor: Actor, projectId: number) => replace(actor, projectId, null),
  };
}

export type ImageService = ReturnType<typeof createImageService>;
