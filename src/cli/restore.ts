import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { printError, StartError } from '../boot/start-error.ts';
import { BackupError } from '../db/backup/archive.ts';
import { readBackup } from '../db/backup/read.ts';
import { pictureType } from '../features/images/image-format.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Loads a backup into an empty database (DATABASE_URL, or the embedded one) and the image store. Stop the service first:
its start creates an administrator, so that the database is not empty any more.

  studytrack restore --from studytrack.tar.gz

An empty database: createdb NAME, with DATABASE_URL set to it; for the embedded one, remove data/postgres.
`;

export const command = defineCommand(usage, { from: { type: 'string' } }, async ({ values: { from }, positionals }) => {
  if (from === undefined || positionals.length > 0) throw new StartError('--from FILE is required (see --help).');
  await access(from).catch(() => {
    throw new StartError(`${from} does not exist.`);
  });
  await withDatabase(
    async (_database, config, { url }) => {
      const pictures = openImageStorage(config.images);
      const storePicture = (name: string, file: string) => pictures.put(name, file, pictureType(name));
      try {
        const end = await readBackup({ url, storePicture, say: printError }, () => createReadStream(from));
        const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
        process.stdout.write(`${rows} rows and ${end.pictures} images restored.\n`);
      } catch (error) {
        throw error instanceof BackupError ? new StartError(error.message) : error;
      }
    },
    { migrate: false },
  );
});
