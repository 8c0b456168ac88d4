import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as projects from '../projects/project-repository.ts';
import type { ImageProcessor } from './image-processor.ts';
import * as images from './image-repository.ts';
import { imageName, imagePath } from './image-storage.ts';

/** Of all pictures of a user's projects. Uploads in progress at the same time may exceed it by their size. */
const maxBytesPerOwner = 512 * 1024 ** 2;
const megabytes = maxBytesPerOwner / 1024 ** 2;
const day = 86_400_000;
const daysInTrash = 30;
/** Pictures cleared per transaction. */
const clearBatch = 100;

type Picture = { name: string; bytes: number };
export type ImageServiceOptions = {
  store: Db;
  storage: Storage;
  processor: ImageProcessor;
  logger: Logger;
  clock: Clock;
};

/**
 * Cover images. A file is stored before a row refers to it and deleted after none does: a failure in between leaves a
 * file without a row, never a row without its file. Throws NotFoundError and PermissionDeniedError.
 */
export function createImageService({ store, storage, processor, logger, clock }: ImageServiceOptions) {
  async function storePicture(actor: Actor, path: string): Promise<Picture> {
    const picture = await processor.process(`user ${actor.id}`, path);
    try {
      const name = `${randomUUID()}.${picture.extension}`;
      const { size: bytes } = await stat(picture.path);
      await storage.put(name, picture.path, picture.contentType);
      return { name, bytes };
    } finally {
      await rm(picture.path, { force: true });
    }
  }

  /** Sets or clears the image and deletes the former file. Checks again what may have changed during the upload. */
  async function replace(actor: Actor, projectId: number, picture: Picture | null): Promise<void> {
    let isCommitting = false;
    try {
      const former = await store.transaction(actor.context, async (tx) => {
        const project = await images.lock(tx, projectId);
        if (project === undefined) throw new NotFoundError('project_not_found');
        if (!(await projects.findRights(tx, actor, projectId)).manageable)
          throw new PermissionDeniedError('project_not_yours');
        const image = picture === null ? null : imagePath(picture.name);
        if (image !== project.image) {
          await images.update(tx, projectId, image, picture?.bytes ?? 0);
          if (picture !== null && (await images.sumBytes(tx, project.user_id)) > maxBytesPerOwner)
            throw new ConflictError('CONFLICT', 'pictures_full', { megabytes, days: daysInTrash });
          const { image: before, assigned_user_ids } = project;
          const after = await projects.get(tx, actor, projectId);
          tx.record({ type: 'project.updated', before: { image: before }, project: after, assigned_user_ids });
        }
        isCommitting = true;
        return project.image;
      });
      if (former !== null) await discard(imageName(former));
    } catch (error) {
      // The commit may have succeeded although its confirmation was lost; the row then refers to the file.
      if (picture !== null && !isCommitting) await discard(picture.name);
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
      const picture = await storePicture(actor, path);
      await replace(actor, projectId, picture);
      const filename = picture.name;
      return { image_url: imagePath(filename), filename };
    },

    remove: (actor: Actor, projectId: number) => replace(actor, projectId, null),

    /** A project that is restored later has no picture. */
    async purgeTrash(): Promise<void> {
      const before = new Date(clock().getTime() - daysInTrash * day);
      let cleared: string[];
      do {
        cleared = await store.asService((tx) => images.clearInTrash(tx, before, clearBatch));
        for (const image of cleared) await discard(imageName(image));
      } while (cleared.length === clearBatch);
    },
  };
}

export type ImageService = ReturnType<typeof createImageService>;
