import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Storage } from '../../lib/storage/storage.ts';

/**
 * Logs when images can no longer be stored, and when they can again; also at the start, such as for a bucket that does not exist. The
 * service stays ready meanwhile: everything else works.
 */
export function createStorageCheck(storage: Storage, logger: Logger): Job {
  let isWritable = true;

  async function check(): Promise<void> {
    try {
      await storage.assertWritable();
      if (!isWritable) logger.info('image storage writable again');
      isWritable = true;
    } catch (error) {
      if (isWritable) logger.warn({ err: error }, 'image storage not writable');
      isWritable = false;
    }
  }

  return { name: 'check the image storage', everySeconds: 30, run: check };
}
