import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { printError, StartError } from '../boot/start-error.ts';
import { BackupError } from '../db/backup/archive.ts';
import { readBackup } from '../db/backup/read.ts';
import { pictureType } from '../features/images/image-format.ts';
import { openImageStorage } from '../features/images/image-storage.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const usage = `
Brings a backup into an empty database (DATABASE_URL, or the embedded one) and the store of pictures. Stop the service
first: it makes an administrator, and then the database is not empty any more.

  npm run restore -- --from studytrack.tar.gz
`;

await runCommand(usage, { from: { type: 'string' } }, async ({ values: { from }, positionals }) => {
  if (from === undefined || positionals.length > 0) throw new StartError('Give --from FILE (see --help).');
  await access(from).catch(() => {
    throw new StartError(`There is no file ${from}.`);
  });
  await withDatabase(
    async (_database, config, { url }) => {
      const pictures = openImageStorage(config.images);
      const storePicture = (name: string, file: string) => pictures.put(name, file, pictureType(name));
      try {
        const end = await readBackup({ url, storePicture, say: printError }, () => createReadStream(from));
        const rows = Object.values(end.rows).reduce((sum, count) => sum + count, 0);
        process.stdout.write(`${rows} rows and ${end.pictures} pictures are back.\n`);
      } catch (error) {
        throw error instanceof BackupError ? new StartError(error.message) : error;
      }
    },
    { migrate: false },
  );
});
