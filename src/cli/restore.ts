import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { printError, StartError } from '../boot/start-error.ts';
import { BackupError } from '../db/backup/archive.ts';
import { readBackup } from '../db/backup/read.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { pictureType } from '../features/images/image-structure.ts';
import { defineCommand, withDatabase } from './command.ts';

const usage = `
Loads a backup into an empty database (DATABASE_URL, or the embedded one) and the image store. Stop the service first:
when it starts, it creates an administrator, and the database is no longer empty.

  studytrack restore --from studytrack.tar.gz

To get an empty database, run createdb NAME and set DATABASE_URL to it, or remove data/postgres for the embedded one.
`;

export const command = defineCommand(usage, { from: { type: 'string' } }, async ({ values: { from }, positionals }) => {
  if (from === undefined || positionals.length > 0) throw new StartError('--from FILE is required (see --help).');
  await access(from).catch(() => {
    throw new StartError(`${from} does not exist.`);
  });
  await withDatabase(
    async (_database, config, { url }) => {
      const images = openImageStorage(config.images);
      const storeImage = (name: string, file: string) => images.put(name, file, pictureType(name));
      try {
        const end = await readBackup({ url, storeImage, log: printError }, () => createReadStream(from));
        const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
        process.stdout.write(`${rows} rows and ${end.pictures} images restored.\n`);
      } catch (error) {
        throw error instanceof BackupError ? new StartError(error.message) : error;
      }
    },
    { migrate: false },
  );
});
