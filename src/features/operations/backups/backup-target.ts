import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { assertWritable } from '../../../lib/folders.ts';
import { createLocalStorage } from '../../../lib/storage/local-storage.ts';
import { createS3Storage, isUrl } from '../../../lib/storage/s3-storage.ts';
import type { Storage } from '../../../lib/storage/storage.ts';

export type BackupTarget = ReturnType<typeof openBackupTarget>;

const ownName = /^studytrack-\d{4}-\d\d-\d\dt\d{6}z\.tgz$/;

/** By which names sort as times do. */
export const backupName = (at: Date) =>
  `studytrack-${at.toISOString().slice(0, 19).replaceAll(':', '').toLowerCase()}z.tgz`;

/** The folder, or the folder `backups` of the bucket, of scheduled backups. */
export function openBackupTarget({ to, dataDir }: { to: string; dataDir: string }) {
  const isRemote = isUrl(to);
  const storage: Storage = isRemote
    ? createS3Storage({ url: to, folder: 'backups', cacheControl: 'private, no-store' })
    : createLocalStorage(to);
  const part = path.join(isRemote ? dataDir : to, 'backup.part');

  const check = isRemote ? storage.assertWritable : () => assertWritable(to, 0o700);

  return {
    assertWritable: check,

    /** Stores the file that `write` writes, completely or not at all, and returns its size. */
    async store(name: string, write: (path: string) => Promise<void>): Promise<number> {
      await check();
      try {
        await write(part);
        const { size } = await stat(part);
        if (isRemote) await storage.put(name, part, 'application/gzip');
        else await rename(part, path.join(to, name));
        return size;
      } finally {
        await rm(part, { force: true });
      }
    },

    /** Deletes all backups but the newest. Other files remain. */
    async keep(count: number): Promise<void> {
      const names: string[] = [];
      for await (const { name } of storage.list()) if (ownName.test(name)) names.push(name);
      for (const name of names.sort().reverse().slice(count)) await storage.delete(name);
    },
  };
}
