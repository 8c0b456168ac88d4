import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { printError, StartError } from '../boot/start-error.ts';
import type { Config } from '../config.ts';
import { BackupError } from '../db/backup/archive.ts';
import { hasData, readBackup } from '../db/backup/read.ts';
import { writeBackupFile } from '../db/backup/write.ts';
import type { Database } from '../db/database.ts';
import { migrateToLatest } from '../db/migrate.ts';
import { backupName } from '../features/backups/backup-target.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { pictureType } from '../features/images/image-structure.ts';
import { makeFolder } from '../lib/folders.ts';
import type { Storage } from '../lib/storage/storage.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Loads a backup into the database (DATABASE_URL, or the embedded one) and the image store. Stop the service first.

  studytrack restore --from studytrack.tar.gz             into an empty database
  studytrack restore --from studytrack.tar.gz --replace   replaces the data of the database

Before it replaces data, it writes a backup of them to DATA_DIR/restore-points and prints its name. If anything fails, the
database is unchanged. To get an empty database, run createdb NAME and set DATABASE_URL to it, or remove data/postgres for
the embedded one.
`;

const options = { from: { type: 'string' }, replace: { type: 'boolean', default: false } } as const;

export const command = defineCommand(usage, options, async ({ values: { from, replace = false }, positionals }) => {
  if (from === undefined || positionals.length > 0) throw new StartError('--from FILE is required (see --help).');
  await access(from).catch(() => {
    throw new StartError(`${from} does not exist.`);
  });
  await withDatabase(
    async (database, config, { url }) => {
      const images = openImageStorage(config.images);
      const storeImage = (name: string, file: string) => images.put(name, file, pictureType(name));
      try {
        const replaces = replace && (await hasData(url));
        if (replaces) await keepRestorePoint(database, config, url, images);
        const end = await readBackup({ url, replace, storeImage, log: printError }, () => createReadStream(from));
        const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
        process.stdout.write(`${rows} rows and ${end.pictures} images restored.\n`);
        if (replaces)
          process.stdout.write('Restart PostgreSQL before the service: programs that synchronize then start over.\n');
      } catch (error) {
        throw error instanceof BackupError ? new StartError(error.message) : error;
      }
    },
    { migrate: false },
  );
});

/** Of the latest schema, because only such backups can be restored by this version. */
async function keepRestorePoint({ knex }: Database, { dataDir }: Config, url: string, images: Storage): Promise<void> {
  const folder = path.join(dataDir, 'restore-points');
  const file = path.join(folder, backupName(new Date()));
  await makeFolder(folder, 0o700);
  await migrateToLatest(knex);
  await writeBackupFile({ url, images, log: () => undefined }, file);
  process.stdout.write(`The present data are kept in ${file}.\n`);
}
