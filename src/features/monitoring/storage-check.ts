import { UnavailableError } from '../../errors.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Storage } from '../../lib/storage/storage.ts';

const validFor = 5_000; // ms; /readyz is public, and each check writes to the disk

export function createStorageCheck(storage: Storage, logger: Logger): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isWritable: Promise<boolean> = Promise.resolve(true);

  async function check(before: boolean): Promise<boolean> {
    try {
      await storage.assertWritable?.();
      if (!before) logger.info('image storage writable again');
      return true;
    } catch (error) {
      if (before) logger.error({ err: error }, 'image storage not writable');
      return false;
    }
  }

  return async () => {
    if (performance.now() - checkedAt > validFor) {
      checkedAt = performance.now();
      isWritable = isWritable.then(check);
    }
    if (!(await isWritable)) throw new UnavailableError('storage_unavailable');
  };
}
